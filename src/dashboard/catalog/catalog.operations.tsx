import { presentedBy } from '#identity'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { organizationOf, requirePerson } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { operation } from '#lib/operation.ts'
import { wholeOrganizationNeeded } from '#lib/outgoing-webhooks/permissions.ts'
import { parameterOfPage } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { CatalogList } from '#views/dashboard/catalog/catalog.tsx'
import { AppRef, Catalog, CatalogAppEdit, CatalogEdit, CatalogItem, CatalogQuery } from './contract.ts'
import { readCatalog, readCatalogApp } from './list.ts'

const back = { next: '/apps' }

export const listCatalog = operation({
  route: 'GET /api/catalog',
  summary: 'List installed and available apps',
  permission: 'apps:read',
  machine: true,
  input: CatalogQuery,
  output: Catalog,
  run: (call) => readCatalog(call, call.input),
  view: (catalog, { input }) => <CatalogList catalog={catalog} query={input} />,
})

/** The same for personal accounts, which have no permissions. */
export const listPersonalCatalog = operation({
  route: 'GET /api/personal-catalog',
  summary: 'List the apps of your personal account',
  permission: 'signed-in',
  personal: false,
  input: CatalogQuery,
  output: Catalog,
  run: (call) => readCatalog({ ...call, actor: { ...call.actor, organization: null } }, call.input),
  view: (catalog, { input }) => <CatalogList catalog={catalog} query={input} />,
})

export const getCatalogApp = operation({
  route: 'GET /api/catalog/:id',
  summary: 'Get an app of the catalog',
  permission: 'apps:read',
  machine: true,
  input: AppRef,
  output: CatalogItem,
  run: (call) => readCatalogApp(call, call.input.id),
})

/** What the page shows, with its search. */
async function drawCatalog(call: Call<unknown, Actor>) {
  const parameter = (name: string) => parameterOfPage(call, name)
  const given = CatalogQuery.safeParse({
    q: parameter('q'),
    view: parameter('view') || undefined,
    limit: parameter('limit'),
  })
  const query = given.data ?? CatalogQuery.parse({})
  const catalog = await call.ask(call.actor.organization ? listCatalog : listPersonalCatalog, query)
  return <CatalogList catalog={catalog} query={query} />
}

export const installCatalogApp = operation({
  route: 'POST /api/catalog/:id/install',
  summary: 'Install an app of the catalog',
  permission: 'apps:write',
  machine: true,
  input: AppRef,
  output: CatalogItem,
  transaction: false,
  problems: { already_installed: 409, entitlement_exceeded: 402, whole_organization_needed: 403 },
  run: async (call) => {
    const app = await setInstalled(call, true)
    return reply(200, { ...app, installed: true }, { ...back, toast: `${app.name} installed` })
  },
  view: (_, call) => drawCatalog(call),
})

export const uninstallCatalogApp = operation({
  route: 'DELETE /api/catalog/:id/install',
  summary: 'Uninstall an app of the catalog',
  permission: 'apps:write',
  machine: true,
  input: AppRef,
  output: CatalogItem,
  transaction: false,
  problems: { app_not_removable: 409, whole_organization_needed: 403 },
  run: async (call) => {
    const app = await setInstalled(call, false)
    return reply(200, app, { ...back, toast: `${app.name} uninstalled` })
  },
  view: (_, call) => drawCatalog(call),
})

/** @throws {Problem} 402 beyond the plan; 403 for roles and keys that are limited to part of the organization; 404; 409 */
async function setInstalled(call: Call<{ id: string }, Actor>, installed: boolean): Promise<CatalogItem> {
  const { actor, identity, input } = call
  const organizationId = organizationOf(actor, 'apps:write')
  if (actor.bindings.length > 0) throw wholeOrganizationNeeded('apps:write')
  const before = await readCatalogApp(call, input.id)
  await identity.setInstalled(organizationId, input.id, { installed, by: actor.principal.id })
  await auditedTransaction(call, async (tx) => {
    recordChange(tx, {
      object: 'app',
      id: input.id,
      before: { installed: before.installed },
      after: { installed },
    })
  })
  return readCatalogApp(call, input.id)
}

const changesOwnPreferences = {
  permission: 'signed-in',
  personal: false,
  transaction: false,
} as const

export const updateCatalogAppPreferences = operation({
  route: 'PUT /api/catalog/:id/preferences',
  summary: 'Update your preferences of an app in the catalog',
  ...changesOwnPreferences,
  input: CatalogAppEdit,
  output: CatalogItem,
  example: { favorite: true },
  run: async (call) => {
    requirePerson(call.actor)
    const { id, favorite, hidden } = call.input
    const { name } = await readCatalogApp(call, id)
    await call.identity.updateAppPreferences(presentedBy(call.request), { id, favorite, hidden })
    const saved = await readCatalogApp(call, id)
    if (hidden === undefined) return saved
    return reply(200, saved, {
      ...back,
      toast: hidden ? `${name} hidden` : `${name} is visible again`,
      undo: { method: 'PUT', href: `/api/catalog/${id}/preferences`, body: { hidden: !hidden } },
    })
  },
  view: (_, call) => drawCatalog(call),
})

export const updateCatalogPreferences = operation({
  route: 'PUT /api/catalog/preferences',
  summary: 'Update your tile size in the catalog',
  ...changesOwnPreferences,
  input: CatalogEdit,
  output: CatalogEdit,
  example: { tileSize: 'large' },
  run: async (call) => {
    requirePerson(call.actor)
    const { tileSize } = await call.identity.updatePreferences(presentedBy(call.request), call.input)
    return { tileSize }
  },
  view: (_, call) => drawCatalog(call),
})
