import { z } from 'zod'
import { atLeast } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import { operation, type TypedOperation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { ActionForm } from '#views/identity/developer-console/action-editor.tsx'
import { ScopeChoices } from '#views/identity/developer-console/app-fields.tsx'
import { DeveloperAccess } from '#views/identity/developer-console/apps.tsx'
import { OneAction } from './actions/contract.ts'
import * as actions from './actions/actions.operations.tsx'
import * as apps from './apps.operations.tsx'
import { OwnDeveloperWorkspace, RequestableScope } from './contract.ts'
import * as keys from './keys/keys.operations.tsx'
import { listRequestableScopes as listScopes } from './requestable-scopes.ts'
import { readWorkspace } from './workspace.ts'

/** A signed-in admin calls it directly, instead of a service by signed request. */
const forAdmins = <Given, Result>(
  route: string,
  signedOperation: TypedOperation<Given, Result>,
  view = signedOperation.view,
): TypedOperation<Given, Result> => ({
  ...signedOperation,
  view,
  route,
  permission: 'role:admin',
  signed: undefined,
  callers: undefined,
})

export const listOwnDeveloperApps = forAdmins('GET /api/developers/apps', apps.listDeveloperApps)
export const getOwnDeveloperApp = forAdmins('GET /api/developers/apps/:id', apps.getDeveloperApp)
export const listOwnAppReviews = forAdmins('GET /api/developers/apps/:id/reviews', apps.listAppReviews)
export const createOwnDeveloperApp = forAdmins('POST /api/developers/apps', apps.createDeveloperApp)
export const updateOwnDeveloperApp = forAdmins('PATCH /api/developers/apps/:id', apps.updateDeveloperApp)
export const deleteOwnDeveloperApp = forAdmins('DELETE /api/developers/apps/:id', apps.deleteDeveloperApp)
export const submitOwnDeveloperApp = forAdmins('POST /api/developers/apps/:id/submission', apps.submitDeveloperApp)
export const withdrawOwnSubmission = forAdmins('DELETE /api/developers/apps/:id/submission', apps.withdrawSubmission)
export const publishOwnDeveloperApp = forAdmins('POST /api/developers/apps/:id/publication', apps.publishDeveloperApp)
export const withdrawOwnPublication = forAdmins('DELETE /api/developers/apps/:id/publication', apps.withdrawPublication)

export const listOwnAppActions = forAdmins('GET /api/developers/apps/:id/actions', actions.listAppActions)
export const getOwnAppAction = forAdmins(
  'GET /api/developers/apps/:id/actions/:actionId',
  actions.getAppAction,
  async (_, { ask, input }) => {
    const { id, actionId } = OneAction.parse(input)
    const [app, action] = await Promise.all([ask(getOwnDeveloperApp, { id }), ask(getOwnAppAction, { id, actionId })])
    return <ActionForm app={app} action={action} />
  },
)
export const createOwnAppAction = forAdmins('POST /api/developers/apps/:id/actions', actions.createAppAction)
export const updateOwnAppAction = forAdmins('PATCH /api/developers/apps/:id/actions/:actionId', actions.updateAppAction)
export const deleteOwnAppAction = forAdmins(
  'DELETE /api/developers/apps/:id/actions/:actionId',
  actions.deleteAppAction,
)

export const listOwnAppKeys = forAdmins('GET /api/developers/apps/:id/keys', keys.listAppKeys)
export const listOwnAppKeyServices = forAdmins('GET /api/developers/apps/:id/key-services', keys.listAppKeyServices)
export const createOwnAppKey = forAdmins('POST /api/developers/apps/:id/keys', keys.createAppKey)
export const rotateOwnAppKey = forAdmins('POST /api/developers/apps/:id/keys/:keyId/rotate', keys.rotateAppKey)
export const revokeOwnAppKey = forAdmins('DELETE /api/developers/apps/:id/keys/:keyId', keys.revokeAppKey)

export const getOwnDeveloperWorkspace = operation({
  route: 'GET /api/developers/workspace',
  summary: 'Get your developer organization',
  permission: 'role:admin',
  input: z.object({}),
  output: OwnDeveloperWorkspace,
  run: async ({ db, actor }) => ({
    ...(await readWorkspace(db, organizationOf(actor, 'role:admin'))),
    can: { enable: actor.organization !== null && atLeast(actor.organization.role, 'owner') },
  }),
  view: (workspace) => <DeveloperAccess workspace={workspace} />,
})

export const listRequestableScopes = operation({
  route: 'GET /api/developers/scopes',
  summary: 'List the scopes that apps can request',
  permission: 'role:admin',
  input: z.object({}),
  output: listOf(RequestableScope),
  run: async ({ db }) => ({ items: await listScopes(db), nextCursor: null }),
  view: ({ items }) => <ScopeChoices requestable={items} />,
})
