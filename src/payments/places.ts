import { asc, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { merchants, venues } from './schema.ts'

const maxPlaces = 200

/** By what orders and takings are grouped. */
export async function listPlaces(db: Database, organizationId: string) {
  const [sellers, places] = await Promise.all([
    db
      .select({ id: merchants.id, name: merchants.name })
      .from(merchants)
      .where(eq(merchants.organizationId, organizationId))
      .orderBy(asc(merchants.name))
      .limit(maxPlaces),
    db
      .select({ id: venues.id, name: venues.name, merchantId: venues.merchantId })
      .from(venues)
      .where(eq(venues.organizationId, organizationId))
      .orderBy(asc(venues.name))
      .limit(maxPlaces),
  ])
  return { merchants: sellers, venues: places }
}
