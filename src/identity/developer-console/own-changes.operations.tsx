import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { ActionEditor } from '#views/identity/developer-console/action-editor.tsx'
import * as actions from './actions/actions.operations.tsx'
import { OneAction, type AppAction } from './actions/contract.ts'
import * as apps from './apps.operations.tsx'
import { DeveloperOrganization } from './contract.ts'
import { drawApp, drawApps } from './draw-app.tsx'
import { forAdmins } from './for-admins.ts'
import * as keys from './keys/keys.operations.tsx'
import { getOwnDeveloperApp } from './own.operations.tsx'
import { enableAccess } from './developer-organization.ts'

export const grantDeveloperAccess = operation({
  route: 'POST /api/organizations/:id/developer-access',
  summary: 'Grant developer access',
  permission: 'role:owner',
  input: z.object({ id: Id }),
  output: DeveloperOrganization,
  run: async (call: Call<{ id: string }, Actor>) =>
    reply(200, await enableAccess(call, call.input.id), {
      next: '/developers',
      toast: 'Developer access turned on',
    }),
  view: (_, call) => drawApps(call),
})

export const createOwnDeveloperApp = forAdmins('POST /api/developers/apps', apps.createDeveloperApp)
export const updateOwnDeveloperApp = forAdmins('PATCH /api/developers/apps/:id', apps.updateDeveloperApp, drawApp)
export const deleteOwnDeveloperApp = forAdmins('DELETE /api/developers/apps/:id', apps.deleteDeveloperApp)
export const submitOwnDeveloperApp = forAdmins(
  'POST /api/developers/apps/:id/submission',
  apps.submitDeveloperApp,
  drawApp,
)
export const withdrawOwnSubmission = forAdmins(
  'DELETE /api/developers/apps/:id/submission',
  apps.withdrawSubmission,
  drawApp,
)
export const publishOwnDeveloperApp = forAdmins(
  'POST /api/developers/apps/:id/publication',
  apps.publishDeveloperApp,
  drawApp,
)
export const withdrawOwnPublication = forAdmins(
  'DELETE /api/developers/apps/:id/publication',
  apps.withdrawPublication,
  drawApp,
)

export const createOwnAppAction = forAdmins('POST /api/developers/apps/:id/actions', actions.createAppAction)
export const updateOwnAppAction = forAdmins(
  'PATCH /api/developers/apps/:id/actions/:actionId',
  actions.updateAppAction,
  async (action: AppAction, { ask, input }) => (
    <ActionEditor app={await ask(getOwnDeveloperApp, { id: OneAction.parse(input).id })} action={action} />
  ),
)
export const deleteOwnAppAction = forAdmins(
  'DELETE /api/developers/apps/:id/actions/:actionId',
  actions.deleteAppAction,
)

export const createOwnAppKey = forAdmins('POST /api/developers/apps/:id/keys', keys.createAppKey)
export const rotateOwnAppKey = forAdmins('POST /api/developers/apps/:id/keys/:keyId/rotate', keys.rotateAppKey)
export const revokeOwnAppKey = forAdmins('DELETE /api/developers/apps/:id/keys/:keyId', keys.revokeAppKey)
