import { z } from 'zod'
import { atLeast, type Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { redirect } from '#lib/reply.ts'
import { ActionEditor, type ActionEditorProps } from '#views/identity/developer-console/action-editor.tsx'
import { DeveloperAppView, type DeveloperAppProps } from '#views/identity/developer-console/app.tsx'
import { DeveloperApps, type DeveloperAppsProps } from '#views/identity/developer-console/apps.tsx'
import { NewApp } from '#views/identity/developer-console/new-app.tsx'
import { ApiKey } from '../api-keys/contract.ts'
import { AppAction } from './actions/contract.ts'
import { findAction, listActions } from './actions/actions.ts'
import { listAppKeys } from './keys/app-keys.ts'
import { findApp, listApps } from './apps.ts'
import { listRequestableScopes, listKeyServices } from './requestable-scopes.ts'
import { AppReview, DeveloperApp } from './contract.ts'
import { reviewsOf } from './reviews/reviews.ts'
import { readWorkspace } from './workspace.ts'

// The styles of the keys page also apply to choosing scopes.
const admins = { permission: 'role:admin', screen: 'keys' } as const
/** More than most workspaces have; the page loads further apps on request. */
const pageSize = 50

export const developersPage = page({
  ...admins,
  path: '/developers',
  title: 'Developers',
  query: z.object({ cursor: Cursor }),
  load: async (call): Promise<DeveloperAppsProps> => {
    const { items, nextCursor } = await listApps(call, { limit: pageSize, cursor: call.input.cursor })
    return {
      workspace: await readWorkspace(call.db, organizationOf(call.actor, 'role:admin')),
      apps: z.array(DeveloperApp).parse(items),
      nextCursor,
      isOwner: call.actor.organization !== null && atLeast(call.actor.organization.role, 'owner'),
    }
  },
  view: (props) => <DeveloperApps {...props} />,
})

export const newAppPage = page({
  ...admins,
  path: '/developers/new',
  title: 'New app',
  query: z.object({}),
  load: async ({ db, actor }) => {
    const workspace = await readWorkspace(db, organizationOf(actor, 'role:admin'))
    // That page explains how to enable a developer workspace, or why it is disabled.
    if (!workspace.developerWorkspace || workspace.status !== 'active') return redirect('/developers')
    return { askable: await listRequestableScopes(db) }
  },
  view: (props) => <NewApp {...props} />,
})

const Tab = z.enum(['overview', 'actions', 'keys', 'review'])

export const appPage = page({
  ...admins,
  path: '/developers/apps/:id',
  title: ({ app }: DeveloperAppProps) => app.name,
  query: z.object({ id: Id, tab: Tab.default('overview').catch('overview') }),
  load: async (call): Promise<DeveloperAppProps> => {
    const app = DeveloperApp.parse(await findApp(call, call.input.id))
    const workspace = await readWorkspace(call.db, app.organizationId)
    return loadTab(call, call.input.tab, { app, workspace })
  },
  view: (props) => <DeveloperAppView {...props} />,
})

async function loadTab(
  call: Call<unknown, Actor>,
  tab: z.output<typeof Tab>,
  shared: Pick<DeveloperAppProps, 'app' | 'workspace'>,
): Promise<DeveloperAppProps> {
  const { app } = shared
  if (tab === 'actions') return { ...shared, tab, actions: AppAction.array().parse(await listActions(call, app.id)) }
  if (tab === 'review') return { ...shared, tab, reviews: AppReview.array().parse(await reviewsOf(call.db, app.id)) }
  if (tab === 'overview') return { ...shared, tab, askable: await listRequestableScopes(call.db) }
  const keys = ApiKey.array().parse(await listAppKeys(call, app.id))
  return { ...shared, tab, keys, services: await listKeyServices(call.db, app), now: call.now() }
}

const editor = { ...admins, view: (props: ActionEditorProps) => <ActionEditor {...props} /> }

export const newActionPage = page({
  ...editor,
  path: '/developers/apps/:id/new-action',
  title: 'New action',
  query: z.object({ id: Id }),
  load: async (call): Promise<ActionEditorProps> => ({
    app: DeveloperApp.parse(await findApp(call, call.input.id)),
    action: null,
  }),
})

export const actionPage = page({
  ...editor,
  path: '/developers/apps/:id/actions/:actionId',
  title: ({ action }: ActionEditorProps) => action?.name ?? '',
  query: z.object({ id: Id, actionId: Id }),
  load: async (call): Promise<ActionEditorProps> => ({
    app: DeveloperApp.parse(await findApp(call, call.input.id)),
    action: AppAction.parse(await findAction(call, call.input.id, call.input.actionId)),
  }),
})
