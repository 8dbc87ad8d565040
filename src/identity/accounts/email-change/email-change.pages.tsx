import { z } from 'zod'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { ConfirmEmail } from '#views/identity/accounts/email-change.tsx'
import { noReferrer } from '../../http/no-referrer.ts'
import { findEmailChange } from './email-change.ts'

/** Opening the page doesn't use up the link: mail programs open links before people do. */
export const emailChangePage = page({
  path: '/email-change/:token',
  permission: 'public',
  frame: 'door',
  title: 'Confirm your new email address',
  query: z.object({ token: z.string().max(200) }),
  load: async ({ db, input: { token }, now }) => {
    const change = (await findEmailChange(db, token, now())) ?? null
    return reply(change ? 200 : 404, { token, change }, { headers: noReferrer })
  },
  view: (props) => <ConfirmEmail {...props} />,
})
