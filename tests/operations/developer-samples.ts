import { newId } from '#lib/ids.ts'
import { listOrders, type World } from '../support/world.ts'
import type { Input } from './samples.ts'

type Resources = World['ada']['things']
type Samples = Record<string, (resources: Resources) => Input[]>

const draft = { description: 'Shows orders.', webUrl: 'https://orders.example' }
const key = { name: 'CI', service: 'platform-socialize', scopes: ['posts.read'] }

const newApp = () => ({ ...draft, name: `App ${newId()}` })
const newAction = () => ({ ...listOrders, name: `list${newId()}`, path: `/api/${newId()}` })
const edit = { redirectUris: ['https://orders.example/callback'] }

/** A service on behalf of Ada. */
const signed: Samples = {
  createDeveloperApp: () => [newApp()],
  updateDeveloperApp: ({ apps }) => [{ id: apps, ...edit }],
  submitDeveloperApp: ({ apps }) => [{ id: apps }],
  withdrawSubmission: ({ apps }) => [{ id: apps }],
  createAppAction: ({ apps }) => [{ id: apps, ...newAction() }],
  createAppKey: ({ apps }) => [{ id: apps, ...key }],
  listDeveloperApps: () => [{ limit: 5 }],
  getDeveloperApp: ({ apps }) => [{ id: apps }],
  listAppReviews: ({ apps }) => [{ id: apps }],
  publishDeveloperApp: ({ submittedApps }) => [{ id: submittedApps }],
  withdrawPublication: ({ submittedApps }) => [{ id: submittedApps }],
  deleteDeveloperApp: ({ submittedApps }) => [{ id: submittedApps }],
  listAppActions: ({ apps }) => [{ id: apps }],
  getAppAction: ({ apps, actions }) => [{ id: apps, actionId: actions }],
  updateAppAction: ({ apps, actions }) => [{ id: apps, actionId: actions, summary: 'List the orders of a day' }],
  deleteAppAction: ({ apps, actions }) => [{ id: apps, actionId: actions }],
  listAppKeys: ({ apps }) => [{ id: apps }],
  listAppKeyServices: ({ apps }) => [{ id: apps }],
  rotateAppKey: ({ apps, appKeys }) => [{ id: apps, keyId: appKeys, overlapHours: 24 }],
  revokeAppKey: ({ apps, appKeys }) => [{ id: apps, keyId: appKeys }],
}

/** Ada herself, with other objects: those that are deleted twice exist twice. */
const own: Samples = {
  listOwnDeveloperApps: () => [{ limit: 5 }],
  getOwnDeveloperApp: ({ apps }) => [{ id: apps }],
  listOwnAppReviews: ({ apps }) => [{ id: apps }],
  listOwnAppActions: ({ apps }) => [{ id: apps }],
  getOwnAppAction: ({ apps, otherActions }) => [{ id: apps, actionId: otherActions }],
  listOwnAppKeys: ({ apps }) => [{ id: apps }],
  listOwnAppKeyServices: ({ apps }) => [{ id: apps }],
  createOwnDeveloperApp: () => [newApp()],
  updateOwnDeveloperApp: ({ apps }) => [{ id: apps, ...edit }],
  submitOwnDeveloperApp: ({ apps }) => [{ id: apps }],
  withdrawOwnSubmission: ({ apps }) => [{ id: apps }],
  createOwnAppAction: ({ apps }) => [{ id: apps, ...newAction() }],
  createOwnAppKey: ({ apps }) => [{ id: apps, ...key }],
  publishOwnDeveloperApp: ({ otherApps }) => [{ id: otherApps }],
  withdrawOwnPublication: ({ otherApps }) => [{ id: otherApps }],
  deleteOwnDeveloperApp: ({ otherApps }) => [{ id: otherApps }],
  updateOwnAppAction: ({ apps, otherActions }) => [{ id: apps, actionId: otherActions, summary: 'List some orders' }],
  deleteOwnAppAction: ({ apps, otherActions }) => [{ id: apps, actionId: otherActions }],
  rotateOwnAppKey: ({ apps, otherAppKeys }) => [{ id: apps, keyId: otherAppKeys, overlapHours: 24 }],
  revokeOwnAppKey: ({ apps, otherAppKeys }) => [{ id: apps, keyId: otherAppKeys }],
}

/** Valid inputs of operations for developers and for reviewers of their apps. */
export const developerSamples: Samples = {
  ...signed,
  ...own,
  grantDeveloperAccess: ({ organizations }) => [{ id: organizations }],
  revokeDeveloperAccess: ({ organizations }) => [{ id: organizations, reason: 'It collected passwords.' }],
  reviewApp: ({ submittedApps, otherApps }) =>
    [otherApps, submittedApps].map((id) => ({ id, decision: 'approved', reason: 'Well made.' })),
  listSubmittedApps: () => [{ q: 'acme', limit: 5 }],
  getSubmittedApp: ({ apps }) => [{ id: apps }],
}
