import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { operation } from '#lib/operation.ts'
import { wholeOrganizationNeeded } from '#lib/outgoing-webhooks/permissions.ts'
import { reply } from '#lib/reply.ts'
import { expectedVersions } from '#lib/request/if-match.ts'
import { DefaultLayout } from '#views/dashboard/settings/default-layout.tsx'
import { arrange, usualLayout } from '../grid/layout.ts'
import { getDashboard } from '../grid/layout.operations.tsx'
import { listWidgetApps } from '../grid/widget-apps.ts'
import { canUpdateDefault } from './can-update.ts'
import { DashboardSettings, DashboardSettingsEdit } from './contract.ts'
import { readDashboardSettings, saveDashboardSettings } from './store.ts'

type SettingsCall = Call<unknown, Actor>

async function describe(
  call: SettingsCall,
  row: Awaited<ReturnType<typeof readDashboardSettings>>,
): Promise<DashboardSettings> {
  const [apps, update] = await Promise.all([listWidgetApps(call), canUpdateDefault(call)])
  const slugs = apps.map(({ slug }) => slug)
  return {
    widgets: arrange(row?.widgets ?? usualLayout, slugs),
    custom: Boolean(row?.widgets),
    version: row?.version ?? 0,
    can: { update },
  }
}

const versioned = (settings: DashboardSettings, options: { toast?: string } = {}) =>
  reply(200, settings, { ...options, next: '/settings/dashboard', headers: { ETag: `"${settings.version}"` } })

const draw = async (settings: DashboardSettings, call: Call) => (
  <DefaultLayout settings={settings} dashboard={await call.ask(getDashboard, {})} />
)

export const getDashboardSettings = operation({
  route: 'GET /api/dashboard/settings',
  summary: 'Get the dashboard settings of an organization',
  permission: 'settings:read',
  machine: true,
  input: z.object({}),
  output: DashboardSettings,
  run: async (call) => {
    const row = await readDashboardSettings(call.db, organizationOf(call.actor, 'settings:read'))
    const settings = await describe(call, row)
    return reply(200, settings, { headers: { ETag: `"${settings.version}"` } })
  },
  view: (settings, call) => draw(settings, call),
})

export const updateDashboardSettings = operation({
  route: 'PUT /api/dashboard/settings',
  summary: 'Update the dashboard settings of an organization',
  permission: 'settings:write',
  machine: true,
  ifMatch: true,
  transaction: false,
  input: DashboardSettingsEdit,
  output: DashboardSettings,
  example: { widgets: [{ app: 'platform-socialize', columns: 6, hidden: false }] },
  problems: { version_conflict: 409, whole_organization_needed: 403 },
  run: async (call) => {
    const { actor, input, now, request } = call
    const organizationId = organizationOf(actor, 'settings:write')
    if (actor.bindings.length > 0) throw wholeOrganizationNeeded('settings:write')
    const installed = (await listWidgetApps(call)).map(({ slug }) => slug)
    const widgets = input.widgets && arrange(input.widgets, installed)
    const versions = expectedVersions(request.headers) ?? (input.version === undefined ? null : [input.version])
    const saved = await auditedTransaction(call, (tx) =>
      saveDashboardSettings(tx, now, { organizationId, widgets, versions }),
    )
    return versioned(await describe(call, saved), { toast: 'Saved' })
  },
  view: (settings, call) => draw(settings, call),
})
