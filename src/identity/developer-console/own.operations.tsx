import { z } from 'zod'
import { atLeast } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { ActionForm } from '#views/identity/developer-console/action-editor.tsx'
import { ScopeChoices } from '#views/identity/developer-console/app-fields.tsx'
import { DeveloperAccess } from '#views/identity/developer-console/apps.tsx'
import { OneAction } from './actions/contract.ts'
import * as actions from './actions/actions.operations.tsx'
import * as apps from './apps.operations.tsx'
import { OwnDeveloperOrganization, RequestableScope } from './contract.ts'
import { forAdmins } from './for-admins.ts'
import * as keys from './keys/keys.operations.tsx'
import { listRequestableScopes as listScopes } from './requestable-scopes.ts'
import { readDeveloperOrganization } from './developer-organization.ts'

export const listOwnDeveloperApps = forAdmins('GET /api/developers/apps', apps.listDeveloperApps)
export const getOwnDeveloperApp = forAdmins('GET /api/developers/apps/:id', apps.getDeveloperApp)
export const listOwnAppReviews = forAdmins('GET /api/developers/apps/:id/reviews', apps.listAppReviews)
export const listOwnAppActions = forAdmins('GET /api/developers/apps/:id/actions', actions.listAppActions)
export const listOwnAppKeys = forAdmins('GET /api/developers/apps/:id/keys', keys.listAppKeys)
export const listOwnAppKeyServices = forAdmins('GET /api/developers/apps/:id/key-services', keys.listAppKeyServices)

export const getOwnAppAction = forAdmins(
  'GET /api/developers/apps/:id/actions/:actionId',
  actions.getAppAction,
  async (_, { ask, input }) => {
    const { id, actionId } = OneAction.parse(input)
    const [app, action] = await Promise.all([ask(getOwnDeveloperApp, { id }), ask(getOwnAppAction, { id, actionId })])
    return <ActionForm app={app} action={action} />
  },
)
export const getOwnDeveloperOrganization = operation({
  route: 'GET /api/developers/organization',
  summary: 'Get your developer organization',
  permission: 'role:admin',
  input: z.object({}),
  output: OwnDeveloperOrganization,
  run: async ({ db, actor }) => ({
    ...(await readDeveloperOrganization(db, organizationOf(actor, 'role:admin'))),
    can: { enable: actor.organization !== null && atLeast(actor.organization.role, 'owner') },
  }),
  view: (organization) => <DeveloperAccess organization={organization} />,
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
