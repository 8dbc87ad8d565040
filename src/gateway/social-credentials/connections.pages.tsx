import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { ConnectionsPage, type ConnectionsProps } from '#views/gateway/connections/page.tsx'
import { AccountHealth } from '../contract/social.ts'
import { listConnectedAccounts, listNetworkCredentials } from './connections.operations.tsx'

const pageSize = 50

export const connectionsPage = page({
  path: '/gateway/connections',
  permission: 'usage:read',
  screen: 'gateway-keys gateway-mail',
  icon: 'plug',
  title: 'Connections',
  query: z.object({
    q: ignoreInvalid(plainText(200).trim()),
    provider: ignoreInvalid(plainText(50)),
    health: ignoreInvalid(AccountHealth),
    cursor: Cursor,
  }),
  load: async ({ ask, input }): Promise<ConnectionsProps> => {
    const [apps, accounts] = await Promise.all([
      ask(listNetworkCredentials, {}),
      ask(listConnectedAccounts, { ...input, limit: pageSize }),
    ])
    return { apps, accounts, query: input }
  },
  view: (props) => <ConnectionsPage {...props} />,
})
