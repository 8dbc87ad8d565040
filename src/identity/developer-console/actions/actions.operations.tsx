import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { AppActionTable } from '#views/identity/developer-console/app-actions.tsx'
import { AppAction, AppActionSummary, AppActionDraft, AppActionEdit, OneAction } from './contract.ts'
import * as actions from './actions.ts'
import { actAsPerson, signedByConsole } from '../keys/delegation.ts'

const commonProblems = { no_developer_access: 409, under_review: 409 } as const
const page = (id: string): string => `/developers/apps/${id}?tab=actions`

export const listAppActions = operation({
  ...signedByConsole,
  route: 'GET /api/developer-console/apps/:id/actions',
  summary: 'List an app’s actions',
  input: z.object({ id: Id }),
  output: listOf(AppActionSummary),
  run: async (call) => ({ items: await actions.listActions(await actAsPerson(call), call.input.id), nextCursor: null }),
  view: ({ items }, { input }) => (items.length > 0 ? <AppActionTable appId={input.id} actions={items} /> : <></>),
})

export const createAppAction = operation({
  ...signedByConsole,
  route: 'POST /api/developer-console/apps/:id/actions',
  summary: 'Create an action',
  input: AppActionDraft,
  output: AppAction,
  creates: true,
  example: {
    name: 'listOrders',
    summary: 'List orders',
    method: 'GET',
    path: '/api/orders',
    permission: 'orders:read',
    inputSchema: { type: 'object' },
  },
  problems: { ...commonProblems, action_name_taken: 409, too_many_actions: 409, undeclared_permission: 422 },
  run: async (call) => {
    const action = await actions.createAction(await actAsPerson(call), call.input)
    return reply(201, action, { next: page(call.input.id), toast: `${action.name} saved as a draft` })
  },
})

export const getAppAction = operation({
  ...signedByConsole,
  route: 'GET /api/developer-console/apps/:id/actions/:actionId',
  summary: 'Get an action',
  input: OneAction,
  output: AppAction,
  run: async (call) => actions.findAction(await actAsPerson(call), call.input.id, call.input.actionId),
})

export const updateAppAction = operation({
  ...signedByConsole,
  route: 'PATCH /api/developer-console/apps/:id/actions/:actionId',
  summary: 'Update an action',
  input: AppActionEdit,
  output: AppAction,
  example: { summary: 'List the orders of a day' },
  problems: { ...commonProblems, action_name_taken: 409, undeclared_permission: 422 },
  run: async (call) => {
    const action = await actions.updateAction(await actAsPerson(call), call.input)
    return reply(200, action, {
      next: page(call.input.id),
      // A change of an approved action is a new version.
      leavesPage: action.id !== call.input.actionId,
      toast: `${action.name} updated`,
    })
  },
})

export const deleteAppAction = operation({
  ...signedByConsole,
  route: 'DELETE /api/developer-console/apps/:id/actions/:actionId',
  summary: 'Delete all versions of an action',
  input: OneAction,
  output: z.null(),
  problems: commonProblems,
  run: async (call) => {
    await actions.deleteAction(await actAsPerson(call), call.input.id, call.input.actionId)
    return reply(204, null, { next: page(call.input.id), toast: 'Action deleted' })
  },
})
