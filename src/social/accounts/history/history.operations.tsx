import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { paging } from '#lib/paginate.ts'
import { AccountHistoryView } from '#views/social/accounts/account-history.tsx'
import { AccountHistory } from '../../contract.ts'
import { listHistory, readZone } from './list.ts'

export const listAccountHistory = operation({
  route: 'GET /api/accounts/:id/history',
  summary: 'List the history of a connected account',
  permission: 'accounts:read',
  machine: true,
  input: z.object({ id: Id, ...paging }),
  output: AccountHistory,
  problems: { test_key_not_allowed: 403 },
  run: listHistory,
  view: async (history, { db, input: { id } }) => (
    <AccountHistoryView accountId={id} history={history} zone={await readZone(db, id)} />
  ),
})
