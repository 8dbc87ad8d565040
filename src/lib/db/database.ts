import type { PgDatabase } from 'drizzle-orm/pg-core'
import type { PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js'

/** The database, or a transaction of it. */
export type Database = PgDatabase<PostgresJsQueryResultHKT>
