import type { Operation } from '#lib/operation.ts'
import * as actions from './actions/actions.operations.tsx'
import * as apps from './apps.operations.tsx'
import * as keys from './keys/keys.operations.tsx'

/**
 * An operation of the console for the pages of `/developers`: a signed-in admin calls it directly, instead of a service
 * by signed request.
 */
const forAdmins = (route: string, operation: Operation): Operation => ({
  ...operation,
  route,
  permission: 'role:admin',
  signed: undefined,
  callers: undefined,
})

export const createOwnDeveloperApp = forAdmins('POST /developers/apps', apps.createDeveloperApp)
export const updateOwnDeveloperApp = forAdmins('PATCH /developers/apps/:id', apps.updateDeveloperApp)
export const deleteOwnDeveloperApp = forAdmins('DELETE /developers/apps/:id', apps.deleteDeveloperApp)
export const submitOwnDeveloperApp = forAdmins('POST /developers/apps/:id/submission', apps.submitDeveloperApp)
export const withdrawOwnSubmission = forAdmins('DELETE /developers/apps/:id/submission', apps.withdrawSubmission)
export const publishOwnDeveloperApp = forAdmins('POST /developers/apps/:id/publication', apps.publishDeveloperApp)
export const withdrawOwnPublication = forAdmins('DELETE /developers/apps/:id/publication', apps.withdrawPublication)

export const createOwnAppAction = forAdmins('POST /developers/apps/:id/actions', actions.createAppAction)
export const updateOwnAppAction = forAdmins('PATCH /developers/apps/:id/actions/:actionId', actions.updateAppAction)
export const deleteOwnAppAction = forAdmins('DELETE /developers/apps/:id/actions/:actionId', actions.deleteAppAction)

export const createOwnAppKey = forAdmins('POST /developers/apps/:id/keys', keys.createAppKey)
export const rotateOwnAppKey = forAdmins('POST /developers/apps/:id/keys/:keyId/rotate', keys.rotateAppKey)
export const revokeOwnAppKey = forAdmins('DELETE /developers/apps/:id/keys/:keyId', keys.revokeAppKey)
