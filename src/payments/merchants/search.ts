import { and, asc, eq, ilike, isNull, sql } from 'drizzle-orm'
import { containsPattern, type Database } from '#lib/db.ts'
import { merchants, venues } from '../schema.ts'

const maxPlaces = 5

interface PlaceName {
  id: string
  name: string
  /** Of a venue. */
  merchant: string | null
}

/** Active merchants and venues by a part of their name. */
export async function findPlaceNames(
  db: Database,
  organizationId: string,
  words: string,
  shown: { venues: boolean },
): Promise<PlaceName[]> {
  const pattern = containsPattern(words)
  const sellers = await db
    .select({ id: merchants.id, name: merchants.name, merchant: sql<null>`NULL` })
    .from(merchants)
    .where(
      and(eq(merchants.organizationId, organizationId), ilike(merchants.name, pattern), isNull(merchants.archivedAt)),
    )
    .orderBy(asc(merchants.name))
    .limit(maxPlaces)
  if (!shown.venues) return sellers
  const places = await db
    .select({ id: venues.id, name: venues.name, merchant: merchants.name })
    .from(venues)
    .innerJoin(merchants, eq(merchants.id, venues.merchantId))
    .where(and(eq(venues.organizationId, organizationId), ilike(venues.name, pattern), isNull(venues.archivedAt)))
    .orderBy(asc(venues.name))
    .limit(maxPlaces)
  return [...sellers, ...places].slice(0, maxPlaces)
}
