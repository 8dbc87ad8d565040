import { z } from 'zod'
import { notFound, nullFor404 } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { plainText } from '#lib/text.ts'
import { Waitlist } from '#views/dashboard/marketing/waitlist.tsx'
import { WaitlistEntryPage } from '#views/dashboard/marketing/waitlist-entry.tsx'
import { noReferrer } from '../../http/no-referrer.ts'
import { getWaitlistEntry } from './waitlist.operations.ts'

const site = { permission: 'public', frame: 'site' } as const
const flag = z
  .literal('true')
  .transform(() => true)
  .optional()
  .catch(undefined)

export const waitlistPage = page({
  ...site,
  path: '/waitlist',
  title: 'Coming next',
  description: 'What Atrium doesn’t do yet. Get one email when it does.',
  query: z.object({ joined: flag, left: flag }),
  load: async ({ input }) => input,
  view: (props, { context }) => <Waitlist {...props} refused={context.refusedForm} />,
})

/** Opening it changes nothing: mail scanners open every link. */
export const waitlistEntryPage = page({
  ...site,
  path: '/waitlist/entries/:token',
  title: 'Your place on the waitlist',
  query: z.object({ token: plainText(200) }),
  load: async (call) => {
    const { token } = call.input
    const entry = await call.ask(getWaitlistEntry, { token }).catch(nullFor404)
    if (!entry) throw notFound('entry')
    return reply(200, { token, entry }, { headers: noReferrer })
  },
  view: (props) => <WaitlistEntryPage {...props} />,
})
