import { and, eq, inArray, type Column, type SQL } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import { brands } from './schema.ts'

/** The id of the organization that the actor works in. Throws 409 in the personal context and for services. */
export function organizationOf(actor: Actor): string {
  if (actor.organization) return actor.organization.id
  throw conflict('organization_required', 'Choose an organization first: brands and posts belong to one.')
}

/** The brands that a key is bound to; null for whoever reaches all of the organization. */
export const boundBrands = ({ bindings }: Actor): string[] | null =>
  bindings.length > 0 ? bindings.filter(({ kind }) => kind === 'brand').map(({ id }) => id) : null

/** Whether a brand is one that the actor reaches: of their organization, and of their key's binding. */
export function reachedBrand(actor: Actor): SQL | undefined {
  const bound = boundBrands(actor)
  return and(eq(brands.organizationId, organizationOf(actor)), bound ? inArray(brands.id, bound) : undefined)
}

/** Whether a row's brand is one that the actor reaches: stands in every query that is not by brand already. */
export const withinTenant = (db: Database, actor: Actor, brandId: Column): SQL =>
  inArray(brandId, db.select({ id: brands.id }).from(brands).where(reachedBrand(actor)))
