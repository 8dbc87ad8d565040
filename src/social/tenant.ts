import { eq, inArray, type Column, type SQL } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import { brands } from './schema.ts'

/** The id of the organization that the actor works in. Throws 409 in the personal context and for services. */
export function organizationOf(actor: Actor): string {
  if (actor.organization) return actor.organization.id
  throw conflict('organization_required', 'Choose an organization first: brands and posts belong to one.')
}

/** Whether a row's brand is one of the actor's organization: stands in every query that is not by brand already. */
export const withinTenant = (db: Database, actor: Actor, brandId: Column): SQL =>
  inArray(
    brandId,
    db
      .select({ id: brands.id })
      .from(brands)
      .where(eq(brands.organizationId, organizationOf(actor))),
  )
