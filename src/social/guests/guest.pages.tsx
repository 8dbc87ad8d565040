import { z } from 'zod'
import { nullFor404 } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { GuestPage, type GuestPageProps } from '#views/social/guests/guest-page.tsx'
import { secretAddress } from '../http/secret-address.ts'
import { getGuestReview } from './guest.operations.tsx'

export const guestReviewPage = page({
  path: '/review/:token',
  permission: 'public',
  query: z.object({ token: z.string().max(200) }),
  frame: 'guest',
  screen: 'preview guest',
  title: ({ review }: GuestPageProps) =>
    !review ? 'Link not found' : review.state === 'open' ? `Review for ${review.brand.name}` : 'Link expired',
  load: async ({ ask, input: { token } }) => {
    const review = await ask(getGuestReview, { token }).catch(nullFor404)
    const status = !review ? 404 : review.state === 'open' ? 200 : 410
    return reply(status, { token, review }, { headers: secretAddress })
  },
  view: (props) => <GuestPage {...props} />,
})
