import { launchAddressOf, presentedBy, type CatalogApp, type EntitlementState, type Preferences } from '#identity'
import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import type { Catalog, CatalogItem, CatalogQuery } from './contract.ts'
import { pageOf } from './page-of.ts'

export type CatalogCall = Pick<Call<unknown, Actor>, 'identity' | 'actor' | 'request' | 'hosts' | 'config'>

const ownSlug = 'platform-dashboard-api'

const noPreferences: Preferences = { favorites: [], hidden: [], tileSize: 'medium' }

/** An API key has none. */
const preferencesOf = ({ identity, actor, request }: CatalogCall): Promise<Preferences> =>
  actor.tokenType === 'api_key' || actor.app
    ? Promise.resolve(noPreferences)
    : identity.preferences(presentedBy(request))

export interface Source {
  apps: CatalogApp[]
  plan: EntitlementState | null
  preferences: Preferences
  mayChange: boolean
}

/** Of the active organization or the personal account. */
export async function readSource(call: CatalogCall): Promise<Source> {
  const { identity, actor } = call
  const organizationId = actor.organization?.id ?? null
  const [{ apps, plan }, preferences, serviceId] = await Promise.all([
    identity.catalog(organizationId),
    preferencesOf(call),
    identity.serviceId(ownSlug),
  ])
  const isWhole = organizationId !== null && actor.bindings.length === 0
  const mayChange = isWhole && isAllowed(actor, 'apps:write', serviceId)
  return { apps: apps.filter(({ slug }) => slug !== ownSlug), plan, preferences, mayChange }
}

/** @throws {Problem} 422 for a cursor of another list */
export async function readCatalog(call: CatalogCall, { q, view, ...paging }: CatalogQuery): Promise<Catalog> {
  const source = await readSource(call)
  const items = source.apps
    .map((app) => describeApp(call, source, app))
    .filter((item) => isIn(view, item) && matches(item, q))
  const { plan, preferences } = source
  return {
    ...pageOf(items, paging),
    tileSize: preferences.tileSize,
    plan: plan && { used: plan.used, allowed: plan.allowed, left: plan.left, standing: plan.standing },
  }
}

/** @throws {Problem} 404 for an app that isn't in the catalog here */
export async function readCatalogApp(call: CatalogCall, id: string): Promise<CatalogItem> {
  const source = await readSource(call)
  const app = source.apps.find((each) => each.id === id)
  if (!app) throw notFound('app')
  return describeApp(call, source, app)
}

export function describeApp(call: CatalogCall, { plan, preferences, mayChange }: Source, app: CatalogApp): CatalogItem {
  const { id, slug, name, description, icon, firstParty, paid, installed, launchable, webUrl, removable } = app
  const canOpen = installed && launchable && webUrl !== null && hasAccess(call.actor, app)
  const covered = installed || !paid || isCovered(plan, slug)
  return {
    id,
    slug,
    name,
    description,
    icon,
    firstParty,
    paid,
    installed,
    covered,
    group: app.surface_group,
    favorite: preferences.favorites.includes(id),
    hidden: preferences.hidden.includes(id),
    webUrl: webUrl === null ? null : launchAddressOf(call, { ...app, webUrl }).webUrl,
    can: {
      install: mayChange && !installed && covered,
      uninstall: mayChange && installed && removable,
      launch: canOpen,
    },
  }
}

/** Whether the person has any permission of a service that requires permissions. */
export const hasAccess = ({ permissions }: Actor, { id, firstParty, hasPermissions }: CatalogApp): boolean =>
  !firstParty || !hasPermissions || [...permissions].some((permission) => permission.startsWith(`${id}.`))

function isCovered(plan: EntitlementState | null, slug: string): boolean {
  if (!plan) return true
  return plan.left !== 0 && (plan.mode !== 'count' || !plan.appSlugs || plan.appSlugs.includes(slug))
}

const isIn = (view: CatalogQuery['view'], { favorite, hidden }: CatalogItem): boolean =>
  view === 'favorites' ? favorite : hidden === (view === 'hidden')

const matches = ({ name, description }: CatalogItem, q = ''): boolean =>
  `${name}\n${description}`.toLocaleLowerCase().includes(q.trim().toLocaleLowerCase())
