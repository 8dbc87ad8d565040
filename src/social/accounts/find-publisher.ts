import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { connections } from '../schema.ts'

interface Published {
  brandId: string
  provider: typeof connections.$inferSelect.provider
  externalAccount: string | null
}

/** Of the account that published something: another person can have connected it, too. A working one first. */
export async function findPublisher(db: Database, { brandId, provider, externalAccount }: Published) {
  const [row] = await db
    .select()
    .from(connections)
    .where(
      and(
        eq(connections.brandId, brandId),
        eq(connections.provider, provider),
        eq(connections.externalId, externalAccount ?? ''),
        eq(connections.active, true),
      ),
    )
    .orderBy(
      desc(sql`${connections.health} = 'ok'`),
      desc(sql`cardinality(${connections.scopes})`),
      asc(connections.id),
    )
    .limit(1)
  return row
}
