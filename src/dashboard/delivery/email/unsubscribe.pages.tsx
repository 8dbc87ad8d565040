import { z } from 'zod'
import { page } from '#lib/page.ts'
import { UnsubscribePage, type UnsubscribeProps } from '#views/dashboard/notifications/unsubscribe.tsx'
import { ownerOfToken, UnsubscribeToken } from './unsubscribe-token.ts'

/** Opening a link changes nothing: mail programs open links to check them. */
export const unsubscribePage = page({
  path: '/unsubscribe',
  permission: 'public',
  frame: 'door',
  title: 'Unsubscribe',
  query: z.object({ token: UnsubscribeToken }),
  load: async (call): Promise<UnsubscribeProps> => {
    ownerOfToken(call, call.input.token)
    return { token: call.input.token }
  },
  view: (props) => <UnsubscribePage {...props} />,
})
