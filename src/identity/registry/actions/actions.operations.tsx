import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { listCallableActions } from './catalog.ts'
import { Action, ActionFilter, ActionSync, ActionSyncResult } from './contract.ts'
import { consoleSlug } from './own-actions.ts'
import { syncActions } from './sync.ts'

export const listActions = operation({
  route: 'GET /api/actions/catalog',
  summary: 'List callable actions',
  permission: 'known',
  input: ActionFilter,
  output: listOf(Action),
  run: ({ db, actor, input }) => listCallableActions(db, actor, input),
})

export const syncServiceActions = operation({
  route: 'POST /api/internal/service-actions/sync',
  summary: 'Replace a service’s actions',
  permission: 'service',
  callers: [consoleSlug],
  input: ActionSync,
  output: ActionSyncResult,
  problems: { not_found: 404, action_name_taken: 409, undeclared_permission: 422 },
  run: (call) => syncActions(call, call.input),
})
