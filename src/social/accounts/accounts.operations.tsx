import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { isTarget } from '#lib/page.ts'
import { AccountMenu, accountMenu } from '#views/social/accounts/account-actions.tsx'
import { AccountsFragment } from '#views/social/accounts/account-list.tsx'
import { AccountView } from '#views/social/accounts/account.tsx'
import { loadAccountPage } from '../http/account-page.ts'
import { drawChangedAccounts } from '../http/changed-accounts.tsx'
import * as connections from './connections.ts'
import { Connection, ConnectionDetails, Provider } from '../contract.ts'
import { describe, describeAll, describeInFull } from './details.ts'
import { listIntegrations } from './integrations.operations.tsx'

export const listAccounts = operation({
  route: 'GET /api/accounts',
  summary: 'List connected accounts',
  permission: 'accounts:read',
  machine: true,
  input: z.object({ ...paging, brandId: Id.optional(), provider: Provider.optional() }),
  output: listOf(Connection),
  run: async (call) => {
    const { items, nextCursor } = await connections.listPage(call.db, call.actor, call.input)
    return { items: await describeAll(call, items), nextCursor }
  },
  view: (list, { request }) => <AccountsFragment {...list} url={request.url} />,
})

export const getAccount = operation({
  route: 'GET /api/accounts/:id',
  summary: 'Get a connected account',
  permission: 'accounts:read',
  machine: true,
  input: z.object({ id: Id }),
  output: ConnectionDetails,
  problems: { test_key_not_allowed: 403 },
  run: async (call) => describeInFull(call, await connections.get(call.db, call.actor, call.input.id)),
  view: async (account, call) =>
    isTarget(call, accountMenu(account)) ? (
      <AccountMenu connection={account} />
    ) : (
      <AccountView {...await loadAccountPage(call, account)} />
    ),
})

export const deactivateAccount = operation({
  route: 'POST /api/accounts/:id/deactivate',
  summary: 'Deactivate a connected account',
  permission: 'accounts:write',
  machine: true,
  input: z.object({ id: Id }),
  output: Connection,
  problems: { test_key_not_allowed: 403 },
  run: async (call) => {
    const account = await describe(call, await connections.deactivate(call, call.input.id))
    return reply(200, account, { ...backTo(account), toast: 'Account deactivated' })
  },
  view: (account, call) => drawAccounts(account, call),
})

export const reconnectAccount = operation({
  route: 'POST /api/accounts/:id/reconnect',
  summary: 'Reconnect a deactivated account',
  permission: 'accounts:write',
  machine: true,
  input: z.object({ id: Id }),
  output: Connection,
  problems: { test_key_not_allowed: 403, reconnect_required: 409 },
  run: async (call) => {
    const account = await describe(call, await connections.reconnect(call, call.input.id))
    return reply(200, account, { ...backTo(account), toast: 'Account reconnected' })
  },
  view: (account, call) => drawAccounts(account, call),
})

/** On its own page the account, else the accounts of its brand. */
async function drawAccounts({ id, brandId }: Connection, call: Call<unknown, Actor>): Promise<string> {
  if (isTarget(call, 'account'))
    return <AccountView {...await loadAccountPage(call, await call.ask(getAccount, { id }))} />
  return drawChangedAccounts(call, await call.ask(listIntegrations, { brandId }))
}

const backTo = ({ brandId }: connections.Account) => ({ next: `/workspace/accounts?brandId=${brandId}` })
