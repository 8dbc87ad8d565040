import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { ActionEditor, type ActionEditorProps } from '#views/identity/developer-console/action-editor.tsx'
import { DeveloperAppView, type DeveloperAppProps } from '#views/identity/developer-console/app.tsx'
import { DeveloperApps, type DeveloperAppsProps } from '#views/identity/developer-console/apps.tsx'
import { AppTab, loadApp, loadApps } from './draw-app.tsx'
import { getOwnAppAction, getOwnDeveloperApp } from './own.operations.tsx'

const admins = {
  permission: 'role:admin',
  frame: 'developers',
  header: 'own',
  screen: 'developers keys milestones',
} as const

export const developersPage = page({
  ...admins,
  path: '/developers',
  icon: 'blocks',
  title: 'Apps',
  query: z.object({ cursor: Cursor }),
  load: (call): Promise<DeveloperAppsProps> => loadApps(call, call.input.cursor),
  view: (props) => <DeveloperApps {...props} />,
})

export const appPage = page({
  ...admins,
  path: '/developers/apps/:id',
  title: ({ app }: DeveloperAppProps) => app.name,
  query: z.object({ id: Id, tab: AppTab }),
  load: (call): Promise<DeveloperAppProps> => loadApp(call, call.input.id, call.input.tab),
  view: (props) => <DeveloperAppView {...props} />,
})

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
