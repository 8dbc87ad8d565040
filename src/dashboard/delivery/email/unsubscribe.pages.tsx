import { z } from 'zod'
import { page } from '#lib/page.ts'
import { UnsubscribePage } from '#views/dashboard/notifications/unsubscribe.tsx'
import { loadUnsubscribe, UnsubscribeToken } from './draw-unsubscribe.tsx'

/** Opening a link changes nothing: mail programs open links to check them. */
export const unsubscribePage = page({
  path: '/unsubscribe',
  permission: 'public',
  frame: 'door',
  title: 'Unsubscribe',
  query: z.object({ token: UnsubscribeToken }),
  load: async (call) => loadUnsubscribe(call, call.input),
  view: (props) => <UnsubscribePage {...props} />,
})
