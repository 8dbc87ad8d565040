import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { plainText } from '#lib/text.ts'
import { ConnectedAccounts } from '#views/gateway/connections/accounts.tsx'
import { NetworkApps } from '#views/gateway/connections/apps.tsx'
import { AccountHealth, ConnectedAccountList, NetworkAppList } from '../contract/social.ts'
import { listAccounts } from './accounts.ts'
import { checkRegisteredApps } from './check.ts'
import { listNetworkApps } from './network-apps.ts'

export const listConnectedAccounts = operation({
  route: 'GET /api/connections',
  summary: 'List accounts connected to networks',
  permission: 'usage:read',
  input: z.object({
    ...paging,
    q: plainText(200).optional().describe('A part of the account’s or the brand’s name.'),
    provider: plainText(50).optional(),
    brandId: Id.optional(),
    health: AccountHealth.optional(),
  }),
  output: ConnectedAccountList,
  run: ({ db, actor, input }) => listAccounts(db, actor, input),
  view: (list, { input }) => <ConnectedAccounts list={list} query={input} />,
})

export const listNetworkCredentials = operation({
  route: 'GET /api/connections/apps',
  summary: 'List app credentials of networks',
  permission: 'usage:read',
  input: z.object({}),
  output: NetworkAppList,
  run: listNetworkApps,
  view: (list) => <NetworkApps list={list} />,
})

export const checkRegistrations = operation({
  route: 'POST /api/connections/apps/mastodon/check',
  summary: 'Check our registrations at Mastodon servers',
  // They are the platform’s, for all organizations.
  permission: 'super-admin',
  transaction: false,
  input: z.object({}),
  output: NetworkAppList,
  run: async (call) => {
    await checkRegisteredApps(call)
    return reply(200, await listNetworkApps(call), { next: '/gateway/connections', toast: 'Servers checked' })
  },
  view: (list) => <NetworkApps list={list} />,
})
