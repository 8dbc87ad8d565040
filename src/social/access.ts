import { and, eq, inArray, type Column, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { Actor, ServicePermission } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { forbidden, notFound, Problem } from '#lib/errors.ts'
import type { Provider } from './contract.ts'
import { brands } from './schema.ts'

/** The brands that the actor is limited to; null without a limit. */
export const boundBrands = ({ bindings }: Actor): string[] | null =>
  bindings.length > 0 ? bindings.filter(({ kind }) => kind === 'brand').map(({ id }) => id) : null

export function reachedBrand(actor: Actor): SQL | undefined {
  const bound = boundBrands(actor)
  return and(eq(brands.organizationId, organizationOf(actor)), bound ? inArray(brands.id, bound) : undefined)
}

export const withinTenant = (db: Database, actor: Actor, brandId: Column): SQL =>
  inArray(brandId, db.select({ id: brands.id }).from(brands).where(reachedBrand(actor)))

/** 403 when the actor can read the brand but lacks the permission, else 404. `brandIds` are IDs or a query of them. */
export async function explainAbsence(db: Database, actor: Actor, what: string, brandIds: BrandIds): Promise<Problem> {
  const { organization, readOnly } = actor
  const ids = readOnly?.bindings.filter(({ kind }) => kind === 'brand').map(({ id }) => id) ?? []
  if (!organization || !readOnly || ids.length === 0) return notFound(what)
  const read = and(eq(brands.organizationId, organization.id), inArray(brands.id, ids), inArray(brands.id, brandIds))
  const seen = await db.select({ id: brands.id }).from(brands).where(read).limit(1)
  return seen.length > 0 ? forbidden(readOnly.permission) : notFound(what)
}

type BrandIds = string[] | SQLWrapper

export type CheckPermission = (permission: ServicePermission, brandId?: string) => boolean

export async function readPermissions({
  identity,
  actor: { permissions, bindings },
}: Pick<Call<unknown, Actor>, 'identity' | 'actor'>): Promise<CheckPermission> {
  const serviceId = await identity.serviceId('platform-socialize')
  return (permission, brandId) => memberCan({ permissions, bindings }, `${serviceId}.${permission}`, brandId)
}

/** @param name Of the permission, with the ID of the service. Without a brand: in any. */
export function memberCan(
  { permissions, bindings }: Pick<Actor, 'permissions' | 'bindings'>,
  name: string,
  brandId?: string,
): boolean {
  if (!permissions.has(name)) return false
  if (brandId === undefined || bindings.length === 0) return true
  const binding = bindings.find(({ kind, id }) => kind === 'brand' && id === brandId)
  return binding !== undefined && (binding.permissions?.has(name) ?? true)
}

/** The only network that a test key can use (IDN-36). */
export const testKeyNetwork = 'sandbox' satisfies Provider

/** Whether the actor reaches a network: a test key only reaches the sandbox network (IDN-36), in reading too. */
export const canUseNetwork = ({ credential }: Actor, provider: Provider): boolean =>
  !credential.test || provider === testKeyNetwork

/** @throws {Problem} 403 for a network that the actor doesn't reach */
export function requireNetworkAccess(actor: Actor, provider: Provider): void {
  if (!canUseNetwork(actor, provider)) throw testKeyNotAllowed()
}

/** @throws {Problem} 403 for a test key, where all networks are concerned */
export function requireAllNetworks({ credential }: Actor): void {
  if (credential.test) throw testKeyNotAllowed()
}

const testKeyNotAllowed = (): Problem =>
  new Problem(403, 'test_key_not_allowed', 'Test keys can only use the sandbox network. Use a live key.')
