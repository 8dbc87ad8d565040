import { fillPlaceholders, type Query, Column, is, SQL, sql } from 'drizzle-orm'
import { PgDialect, PgTransaction } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { z } from 'zod'
import type { Database } from './db/database.ts'
import { markTransaction } from './outside-calls.ts'
import { transactionConflict } from './postgres/faults.ts'
import {
  directAddress,
  endpointsOf,
  noLimits,
  openClient,
  openPool,
  requestLimits,
  type DatabaseAddress,
  type StatementLimits,
} from './postgres/pool.ts'
import { openSessions, type Sessions } from './postgres/sessions.ts'
import { withSpan } from './telemetry.ts'

export type { Database } from './db/database.ts'

export interface DatabaseHandle {
  readonly db: Database
  /** A raw client with two connections besides the pool of requests, for NOTIFY, health and metrics. */
  readonly sql: postgres.Sql
  listener(): postgres.Sql
  openSessions(count: number, limits: StatementLimits): Sessions
  transaction<Result>(work: (tx: Database) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

export function openDatabase(
  at: DatabaseAddress | string,
  connections = 10,
  limits: StatementLimits = requestLimits,
): DatabaseHandle {
  const { shared, direct } = endpointsOf(typeof at === 'string' ? directAddress(at) : at)
  const pool = openPool(shared, { connections, limits })
  const auxiliary = openPool(shared, { connections: 2, limits })
  const db = drizzle(pool.sql, { casing: 'snake_case' })
  clients.set(db, pool.sql)
  return {
    db,
    sql: auxiliary.sql,
    listener: () => openClient(direct, 1, noLimits),
    openSessions: (count, own) => openSessions(direct, count, own),
    transaction: (work) =>
      withSpan({ name: 'transaction', kind: 'client', facts: { 'db.system.name': 'postgresql' } }, () =>
        transact(db, work),
      ),
    close: async () => void (await Promise.all([pool.close(), auxiliary.close()])),
  }
}

/** For a transaction that PostgreSQL rolled back because of a concurrent one. */
const retryPolicy = { times: 2, pauseMs: 20 }

/**
 * `work` is retried with another `tx` after a deadlock or serialization failure. Inside another transaction it is a
 * savepoint, and only the outer one is retried.
 */
export async function transact<Result>(db: Database, work: (tx: Database) => Promise<Result>): Promise<Result> {
  const run = () => db.transaction(async (tx) => [await work(tx), tx] as const)
  if (isTransaction(db)) {
    const [result, tx] = await run()
    passHooks(tx, db)
    return result
  }
  const [result, tx] = await retryOnConflict(() => markTransaction(run))
  await runHooks(tx)
  return result
}

export const isTransaction = (db: Database): boolean => db instanceof PgTransaction

async function retryOnConflict<Result>(run: () => Promise<Result>, attempt = 0): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (attempt === retryPolicy.times || !transactionConflict(error)) throw error
  }
  await Bun.sleep(retryPolicy.pauseMs * 2 ** attempt * (0.5 + Math.random()))
  return retryOnConflict(run, attempt + 1)
}

type Prepared<Rows> = { execute(values?: Record<string, unknown>): Promise<Rows> }

interface Preparable<Rows> {
  prepare(name: string): Prepared<Rows>
  toSQL(): Pick<Query, 'sql' | 'params'>
  readonly _: { readonly selectedFields: Record<string, unknown> }
}

const clients = new WeakMap<Database, postgres.Sql>()
const statements = new WeakMap<Database, Map<string, Prepared<unknown>>>()

/** PostgreSQL keeps 80 KB for each in every connection, and callers choose among thousands of combinations of filters. */
const maxPrepared = 256

/** Built once per database and name. Only for reads outside transactions, since it runs on the pool. */
export function prepared<Rows>(db: Database, name: string, build: () => Preparable<Rows>): Prepared<Rows> {
  const known = statements.get(db) ?? new Map<string, Prepared<unknown>>()
  statements.set(db, known)
  const hasRoom = known.size < maxPrepared
  const statement = known.get(name) ?? prepareOnPool(clients.get(db), build(), hasRoom) ?? build().prepare(name)
  if (hasRoom) known.set(name, statement)
  return statement as Prepared<Rows>
}

function prepareOnPool(
  client: postgres.Sql | undefined,
  query: Preparable<unknown>,
  prepare: boolean,
): Prepared<unknown> | null {
  const read = rowReader(query._.selectedFields)
  if (!client || !read) return null
  const { sql: text, params } = query.toSQL()
  return {
    execute: async (values = {}) => {
      const parameters = fillPlaceholders(params, values) as postgres.ParameterOrJSON<never>[]
      return (await client.unsafe(text, parameters, { prepare }).values()).map(read)
    },
  }
}

const dialect = new PgDialect({ casing: 'snake_case' })

/**
 * `db.execute` with a statement that each connection parses and plans once, also in a transaction: half the round trips.
 * Only for texts of which there are few; values belong into parameters.
 */
export async function executePrepared<Found extends Record<string, unknown>>(
  db: Database,
  query: SQL,
): Promise<readonly Found[]> {
  const { session } = db._
  // The name only says that it is prepared: the driver has its own for each text.
  type Rows = { execute: readonly Found[]; all: unknown; values: unknown }
  return session.prepareQuery<Rows>(dialect.sqlToQuery(query), undefined, 'prepared', false).execute()
}

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

export const containsPattern = (text: string): string => `%${escapeLike(text)}%`

export const prefixPattern = (text: string): string => `${escapeLike(text)}%`

export function brokenConstraint(error: unknown): string | null {
  const cause = error instanceof Error && error.cause ? error.cause : error
  return cause instanceof postgres.PostgresError ? (cause.constraint_name ?? null) : null
}

type Hook = () => Promise<void>

const hooks = new WeakMap<Database, Hook[]>()

/** Runs `hook` after `db`'s transaction commits, which waits for it. Doesn't run after a rollback or for a retried attempt. */
export function afterCommit(db: Database, hook: Hook): void {
  hooks.set(db, [...(hooks.get(db) ?? []), hook])
}

async function runHooks(tx: Database): Promise<void> {
  const pending = hooks.get(tx) ?? []
  hooks.delete(tx)
  await Promise.all(pending.map((hook) => hook()))
}

/** Hooks of a savepoint wait for the commit of the outer transaction. */
function passHooks(savepoint: Database, around: Database): void {
  for (const hook of hooks.get(savepoint) ?? []) afterCommit(around, hook)
  hooks.delete(savepoint)
}

type Read = (value: unknown) => unknown
type Row = Record<string, unknown>

/** Drizzle's own conversion takes 0.4 ms for 20 posts, three times the query. Null for unusual fields. */
function rowReader(fields: Record<string, unknown>): ((values: readonly unknown[]) => Row) | null {
  const names = Object.keys(fields)
  const reads = Object.values(fields).map(readOf)
  if (reads.includes(null)) return null
  return (values) => {
    const row: Row = {}
    for (let at = 0; at < names.length; at++) {
      const value = values[at] ?? null
      row[names[at] ?? ''] = value === null ? null : reads[at]?.(value)
    }
    return row
  }
}

const unchanged: Read = (value) => value

function readOf(field: unknown): Read | null {
  if (is(field, Column)) {
    const same = field.mapFromDriverValue === Column.prototype.mapFromDriverValue
    return same ? unchanged : (value) => field.mapFromDriverValue(value)
  }
  if (is(field, SQL.Aliased)) return readOf(field.sql)
  if (is(field, SQL)) return decoderOf(field)
  return null
}

/** Drizzle's types hide the decoder of an expression. */
function decoderOf(field: SQL): Read | null {
  if (!('decoder' in field)) return null
  const { decoder } = field
  if (typeof decoder !== 'object' || decoder === null || !('mapFromDriverValue' in decoder)) return null
  const map = decoder.mapFromDriverValue
  return typeof map === 'function' ? (value): unknown => map.call(decoder, value) : null
}

const ClockRow = z.object({ ms: z.number() })

/** The database's clock, in milliseconds. Servers' own clocks can differ. */
export async function databaseTime(db: Database): Promise<Date> {
  const rows = await db.execute(sql`SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`)
  return new Date(ClockRow.parse(rows[0]).ms)
}
