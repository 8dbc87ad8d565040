import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { redirect } from '#lib/reply.ts'
import { ActionEditor, type ActionEditorProps } from '#views/identity/developer-console/action-editor.tsx'
import { DeveloperAppView, type DeveloperAppProps } from '#views/identity/developer-console/app.tsx'
import { DeveloperApps, type DeveloperAppsProps } from '#views/identity/developer-console/apps.tsx'
import { NewApp } from '#views/identity/developer-console/new-app.tsx'
import {
  getOwnAppAction,
  getOwnDeveloperApp,
  getOwnDeveloperWorkspace,
  listOwnAppActions,
  listOwnAppKeys,
  listOwnAppKeyServices,
  listOwnAppReviews,
  listOwnDeveloperApps,
  listRequestableScopes,
} from './own.operations.tsx'

// The styles of the keys page also apply to choosing scopes.
const admins = { permission: 'role:admin', frame: 'developers', header: 'own', screen: 'keys' } as const
/** More than most workspaces have; the page loads further apps on request. */
const pageSize = 50

export const developersPage = page({
  ...admins,
  path: '/developers',
  icon: 'blocks',
  title: 'Apps',
  query: z.object({ cursor: Cursor }),
  load: async ({ ask, input }): Promise<DeveloperAppsProps> => {
    const [workspace, list] = await Promise.all([
      ask(getOwnDeveloperWorkspace, {}),
      ask(listOwnDeveloperApps, { limit: pageSize, cursor: input.cursor }),
    ])
    return { workspace, list }
  },
  view: (props) => <DeveloperApps {...props} />,
})

export const newAppPage = page({
  ...admins,
  path: '/developers/new',
  title: 'New app',
  query: z.object({}),
  load: async ({ ask }) => {
    const workspace = await ask(getOwnDeveloperWorkspace, {})
    // That page explains how to enable a developer workspace, or why it is disabled.
    if (!workspace.developerWorkspace || workspace.status !== 'active') return redirect('/developers')
    return { requestable: (await ask(listRequestableScopes, {})).items }
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
    const { ask, input } = call
    const [app, workspace] = await Promise.all([
      ask(getOwnDeveloperApp, { id: input.id }),
      ask(getOwnDeveloperWorkspace, {}),
    ])
    return loadTab(call, input.tab, { app, workspace })
  },
  view: (props) => <DeveloperAppView {...props} />,
})

async function loadTab(
  { ask, now }: Call<unknown, Actor>,
  tab: z.output<typeof Tab>,
  shared: Pick<DeveloperAppProps, 'app' | 'workspace'>,
): Promise<DeveloperAppProps> {
  const { id } = shared.app
  if (tab === 'actions') return { ...shared, tab, actions: (await ask(listOwnAppActions, { id })).items }
  if (tab === 'review') return { ...shared, tab, reviews: (await ask(listOwnAppReviews, { id })).items }
  if (tab === 'overview') return { ...shared, tab, requestable: (await ask(listRequestableScopes, {})).items }
  const [keys, services] = await Promise.all([ask(listOwnAppKeys, { id }), ask(listOwnAppKeyServices, { id })])
  return { ...shared, tab, keys: keys.items, services: services.items, now: now() }
}

const editor = { ...admins, view: (props: ActionEditorProps) => <ActionEditor {...props} /> }

export const newActionPage = page({
  ...editor,
  path: '/developers/apps/:id/new-action',
  title: 'New action',
  query: z.object({ id: Id }),
  load: async ({ ask, input }): Promise<ActionEditorProps> => ({
    app: await ask(getOwnDeveloperApp, input),
    action: null,
  }),
})

export const actionPage = page({
  ...editor,
  path: '/developers/apps/:id/actions/:actionId',
  title: ({ action }: ActionEditorProps) => action?.name ?? '',
  query: z.object({ id: Id, actionId: Id }),
  load: async ({ ask, input }): Promise<ActionEditorProps> => {
    const [app, action] = await Promise.all([ask(getOwnDeveloperApp, { id: input.id }), ask(getOwnAppAction, input)])
    return { app, action }
  },
})
