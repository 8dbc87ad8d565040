import { z } from 'zod'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { UnsubscribePage } from '#views/dashboard/notifications/unsubscribe.tsx'
import { noReferrer } from '../../http/no-referrer.ts'
import { loadUnsubscribe, UnsubscribeToken } from './draw-unsubscribe.tsx'

/** Opening a link changes nothing: mail programs open links to check them. */
export const unsubscribePage = page({
  path: '/unsubscribe',
  permission: 'public',
  frame: 'door',
  title: 'Unsubscribe',
  query: z.object({ token: UnsubscribeToken }),
  load: async (call) => reply(200, loadUnsubscribe(call, call.input), { headers: noReferrer }),
  view: (props) => <UnsubscribePage {...props} />,
})
