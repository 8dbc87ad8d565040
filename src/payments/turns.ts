import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

interface Due {
  organizationId: PgColumn
  nextCheckAt: PgColumn
}

/** Puts the first due row of each organization before the second of any: one with many doesn’t fill a sweep. */
export const turnOf = ({ organizationId, nextCheckAt }: Due): SQL =>
  sql`row_number() OVER (PARTITION BY ${organizationId} ORDER BY ${nextCheckAt})`
