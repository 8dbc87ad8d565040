import { drizzle } from 'drizzle-orm/postgres-js'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import type { PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'

/** The database or a transaction of it: what domain verbs are given. */
export type Database = PgDatabase<PostgresJsQueryResultHKT, Record<string, never>>

/** The pool of one process. */
export interface DatabaseHandle {
  readonly db: Database
  /** The raw client, for LISTEN and for what drizzle's language can't say. */
  readonly sql: postgres.Sql
  transaction<Result>(work: (tx: Database) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** Opens a pool of `connections`; nothing is sent until the first query. */
export function openDatabase(url: string, connections = 10): DatabaseHandle {
  const options = {
    max: connections,
    onnotice: () => {},
    connect_timeout: 10,
    connection: { application_name: 'atrium' },
  }
  const client = postgres(url, options)
  const sql = postgres(url, { ...options, max: 2 })
  const db = drizzle(client, { casing: 'snake_case' })
  return {
    db,
    sql,
    transaction: (work) => db.transaction(work),
    close: async () => void (await Promise.all([client.end({ timeout: 5 }), sql.end({ timeout: 5 })])),
  }
}

type Prepared<Row> = { execute(values?: Record<string, unknown>): Promise<Row> }
const statements = new WeakMap<Database, Map<string, Prepared<unknown>>>()

/**
 * A server-side prepared statement, built once per database and name. For reads outside transactions only:
 * it runs on the pool it was prepared on.
 */
export function prepared<Row>(
  db: Database,
  name: string,
  build: () => { prepare(name: string): Prepared<Row> },
): Prepared<Row> {
  const known = statements.get(db) ?? new Map<string, Prepared<unknown>>()
  statements.set(db, known)
  const statement = known.get(name) ?? build().prepare(name)
  known.set(name, statement)
  return statement as Prepared<Row>
}

/** The name of the constraint or unique index that a statement broke, else null. */
export function brokenConstraint(error: unknown): string | null {
  const cause = error instanceof Error && error.cause ? error.cause : error
  return cause instanceof postgres.PostgresError ? (cause.constraint_name ?? null) : null
}
