import { z } from 'zod'
import { page } from '#lib/page.ts'
import { SendersPage, type SendersProps } from '#views/gateway/senders/page.tsx'
import { listSenderDomains, listSenderIdentities } from './senders.operations.tsx'

export const sendersPage = page({
  path: '/gateway/senders',
  permission: 'usage:read',
  screen: 'gateway-keys gateway-mail',
  icon: 'mail',
  title: 'Senders',
  query: z.object({}),
  load: async ({ ask }): Promise<SendersProps> => {
    const [senders, domains] = await Promise.all([ask(listSenderIdentities, {}), ask(listSenderDomains, {})])
    return { senders, domains }
  },
  view: (props) => <SendersPage {...props} />,
})
