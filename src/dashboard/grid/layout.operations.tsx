import { z } from 'zod'
import { auditedTransaction } from '#lib/audit.ts'
import { organizationOf, requirePerson } from '#lib/authorize.ts'
import { operation } from '#lib/operation.ts'
import { reply, type Reply } from '#lib/reply.ts'
import { expectedVersions } from '#lib/request/if-match.ts'
import { Grid } from '#views/dashboard/grid/grid.tsx'
import { canUpdateDefault } from '../settings/can-update.ts'
import { Dashboard, DashboardLayout, DashboardLayoutEdit } from './contract.ts'
import { arrange, deleteLayout, readLayout, saveLayout } from './layout.ts'
import { readWidgetTopics } from './topics.ts'
import { listWidgetApps } from './widget-apps.ts'

const versioned = <Data extends { version: number }>(data: Data): Reply<Data> =>
  reply(200, data, { headers: { ETag: `"${data.version}"` } })

export const getDashboard = operation({
  route: 'GET /api/dashboard',
  summary: 'Get the widgets of the dashboard',
  permission: 'dashboard:read',
  machine: true,
  input: z.object({}),
  output: Dashboard,
  run: async (call) => {
    const apps = await listWidgetApps(call)
    const slugs = apps.map(({ slug }) => slug)
    const [{ widgets, version }, topics, updateDefault] = await Promise.all([
      readLayout(call.db, call.actor, slugs),
      readWidgetTopics(call, slugs),
      canUpdateDefault(call),
    ])
    return {
      widgets: widgets.flatMap((widget) => {
        const app = apps.find(({ slug }) => slug === widget.app)
        if (!app) return []
        const { name, icon, href, widgetUrl } = app
        return [{ ...widget, name, icon, href, widgetUrl, topics: [...(topics.get(widget.app) ?? [])] }]
      }),
      version,
      can: { updateDefault },
    }
  },
  view: (dashboard) => <Grid {...dashboard} />,
})

export const getDashboardLayout = operation({
  route: 'GET /api/dashboard/layout',
  summary: 'Get the layout of the dashboard',
  permission: 'dashboard:read',
  input: z.object({}),
  output: DashboardLayout,
  run: async (call) => {
    const apps = await listWidgetApps(call)
    return versioned(
      await readLayout(
        call.db,
        call.actor,
        apps.map(({ slug }) => slug),
      ),
    )
  },
})

export const updateDashboardLayout = operation({
  route: 'PUT /api/dashboard/layout',
  summary: 'Update your layout of the dashboard',
  permission: 'dashboard:read',
  ifMatch: true,
  transaction: false,
  input: DashboardLayoutEdit,
  output: DashboardLayout,
  example: { widgets: [{ app: 'platform-socialize', columns: 6, hidden: false }] },
  problems: { session_required: 403, version_conflict: 409 },
  run: async (call) => {
    const { actor, input, now, request } = call
    requirePerson(actor)
    const apps = await listWidgetApps(call)
    const widgets = arrange(
      input.widgets,
      apps.map(({ slug }) => slug),
    )
    const owner = { organizationId: organizationOf(actor, 'dashboard:read'), personId: actor.principal.id }
    const versions = expectedVersions(request.headers)
    return versioned(await auditedTransaction(call, (tx) => saveLayout(tx, now, { ...owner, widgets, versions })))
  },
})

export const deleteDashboardLayout = operation({
  route: 'DELETE /api/dashboard/layout',
  summary: 'Delete your layout of the dashboard',
  permission: 'dashboard:read',
  transaction: false,
  input: z.object({}),
  output: DashboardLayout,
  problems: { session_required: 403 },
  run: async (call) => {
    const { actor, db } = call
    requirePerson(actor)
    const owner = { organizationId: organizationOf(actor, 'dashboard:read'), personId: actor.principal.id }
    await auditedTransaction(call, (tx) => deleteLayout(tx, owner))
    const apps = (await listWidgetApps(call)).map(({ slug }) => slug)
    return versioned(await readLayout(db, actor, apps))
  },
})
