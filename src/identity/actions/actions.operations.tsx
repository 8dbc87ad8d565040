import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { catalog } from './catalog.ts'
import { Action, ActionFilter, ActionSync, SyncedActions } from './contract.ts'
import { console } from './own-actions.ts'
import { sync } from './sync.ts'

export const listActions = operation({
  route: 'GET /api/actions/catalog',
  summary: 'List callable actions',
  permission: 'known',
  input: ActionFilter,
  output: listOf(Action),
  run: ({ db, actor, input }) => catalog(db, actor, input),
})

export const syncServiceActions = operation({
  route: 'POST /api/internal/service-actions/sync',
  summary: 'Replace a service’s actions',
  permission: 'service',
  callers: [console],
  input: ActionSync,
  output: SyncedActions,
  problems: { not_found: 404, action_name_taken: 409, undeclared_permission: 422 },
  run: (call) => sync(call, call.input),
})
