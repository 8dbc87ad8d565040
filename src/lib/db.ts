import { fillPlaceholders, type Query } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import type { PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { awaitHearing, heard } from './events/hearing.ts'
import { rowReader } from './rows.ts'
import { traced } from './telemetry.ts'

/** The database or a transaction of it: what domain verbs are given. */
export type Database = PgDatabase<PostgresJsQueryResultHKT>

/** The pool of one process. */
export interface DatabaseHandle {
  readonly db: Database
  /** The raw client, for NOTIFY and for what drizzle's language can't say. */
  readonly sql: postgres.Sql
  /** A client of one connection, for LISTEN: whoever asks for it ends it. */
  listener(): postgres.Sql
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
  clients.set(db, client)
  return {
    db,
    sql,
    listener: () => postgres(url, { ...options, max: 1 }),
    transaction: (work) =>
      traced({ name: 'transaction', kind: 'client', facts: { 'db.system.name': 'postgresql' } }, () =>
        transact(db, work),
      ),
    close: async () => void (await Promise.all([client.end({ timeout: 5 }), sql.end({ timeout: 5 })])),
  }
}

/** One transaction; it is over when every server has heard what of its news is awaited. */
export async function transact<Result>(db: Database, work: (tx: Database) => Promise<Result>): Promise<Result> {
  const [result, tx] = await db.transaction(async (within) => [await work(within), within] as const)
  await heard(tx)
  return result
}

/** Runs once `db`'s transaction is committed; whoever commits it waits. Nothing runs when it is rolled back. */
export const afterCommit = (db: Database, act: () => Promise<void>): void => awaitHearing(db, act)

type Prepared<Rows> = { execute(values?: Record<string, unknown>): Promise<Rows> }

/** A select of drizzle's. */
interface Preparable<Rows> {
  prepare(name: string): Prepared<Rows>
  toSQL(): Pick<Query, 'sql' | 'params'>
  readonly _: { readonly selectedFields: Record<string, unknown> }
}

const clients = new WeakMap<Database, postgres.Sql>()
const statements = new WeakMap<Database, Map<string, Prepared<unknown>>>()

/**
 * A server-side prepared statement, built once per database and name. For reads outside transactions only:
 * it runs on the pool it was prepared on.
 */
export function prepared<Rows>(db: Database, name: string, build: () => Preparable<Rows>): Prepared<Rows> {
  const known = statements.get(db) ?? new Map<string, Prepared<unknown>>()
  statements.set(db, known)
  const statement = known.get(name) ?? quick(clients.get(db), build()) ?? build().prepare(name)
  known.set(name, statement)
  return statement as Prepared<Rows>
}

/** The statement on the pool itself, with our own reading of rows. */
function quick(client: postgres.Sql | undefined, query: Preparable<unknown>): Prepared<unknown> | null {
  const read = rowReader(query._.selectedFields)
  if (!client || !read) return null
  const { sql, params } = query.toSQL()
  return {
    execute: async (values = {}) => {
      const given = fillPlaceholders(params, values) as postgres.ParameterOrJSON<never>[]
      return (await client.unsafe(sql, given, { prepare: true }).values()).map(read)
    },
  }
}

const literally = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** The pattern of LIKE for texts that have these very characters in them. */
export const containing = (text: string): string => `%${literally(text)}%`

/** The pattern of LIKE for texts that begin with these very characters. */
export const beginningWith = (text: string): string => `${literally(text)}%`

/** The name of the constraint or unique index that a statement broke, else null. */
export function brokenConstraint(error: unknown): string | null {
  const cause = error instanceof Error && error.cause ? error.cause : error
  return cause instanceof postgres.PostgresError ? (cause.constraint_name ?? null) : null
}

/** Whether a statement failed since the database is away, or has no disk, memory or connection left for it. */
export function databaseAway(error: unknown): boolean {
  const cause = error instanceof Error && error.cause ? error.cause : error
  if (cause instanceof postgres.PostgresError) return cause.severity === 'FATAL' || cause.code.startsWith('53')
  return cause instanceof Error && 'code' in cause && away.test(String(cause.code))
}

/** No connection, or none whose certificate is trusted. */
const away = /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ERR_TLS|ERR_SSL)|CERT|SIGNED|ALTNAME/
