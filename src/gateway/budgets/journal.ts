import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { createBatchWriter } from '#lib/batch.ts'
import { executePrepared, type Database } from '#lib/db.ts'
import type { UsageRow } from '../usage/insert.ts'
import type { HoldRequest } from './types.ts'

export interface Part {
  limitId: string
  periodStart: Date
}

/** A part of a running request's hold. */
export interface OpenPart extends Part {
  /** Its limit counts only what the platform pays. */
  platformOnly: boolean
}

/** What leaves the part's lease when a hold of `granted` has cost `rows`. */
export function spentAt(
  { platformOnly }: Pick<OpenPart, 'platformOnly'>,
  rows: readonly Pick<UsageRow, 'paidBy' | 'costNanoUsd'>[],
  granted: bigint,
): bigint {
  let cost = 0n
  for (const { paidBy, costNanoUsd } of rows) if (paidBy === 'platform' || !platformOnly) cost += costNanoUsd
  return cost < granted ? cost : granted
}

interface JournalEntry {
  id: string
  serverId: string
  request: HoldRequest
  amountNanoUsd: bigint
  parts: readonly Part[]
  heldAt: Date
  /** Of the limits under which it was taken; null when it is valid whatever they are now. */
  version: number | null
}

type Outcome = 'written' | 'limits_changed' | 'server_unknown'

export interface Journal {
  /** Resolves once the row is written, or says why it isn't. */
  write(entry: JournalEntry): Promise<Outcome>
  flush(): Promise<void>
}

const maxRows = 500
const maxWaiting = 20_000

interface Waiting {
  entry: JournalEntry
  outcome: Outcome
}

/** Rows of many requests in one statement. Holds are in memory and in the leases; this says which survive a crash. */
export function createJournal(db: Database): Journal {
  const writer = createBatchWriter<Waiting>({
    gatherMs: 0,
    maxRows,
    maxWaiting,
    write: (waiting) => writeRows(db, waiting),
  })
  return {
    write: async (entry) => {
      const row: Waiting = { entry, outcome: 'limits_changed' }
      await writer.add(row)
      return row.outcome
    },
    flush: () => writer.flush(),
  }
}

async function writeRows(db: Database, waiting: readonly Waiting[]): Promise<void> {
  const written = await insertRows(
    db,
    waiting.map(({ entry }) => entry),
  )
  if (written === null) {
    // One unknown server must not fail the rows of another.
    const groups = [...Map.groupBy(waiting, ({ entry }) => entry.serverId).values()]
    if (groups.length > 1) for (const group of groups) await writeRows(db, group)
    else for (const row of waiting) row.outcome = 'server_unknown'
    return
  }
  for (const row of waiting) {
    if (row.entry.version === null || written.has(row.entry.id)) row.outcome = 'written'
  }
}

/**
 * Without waiting for the disk: losing a row takes a crash of the database and of this server at once. The lock on the
 * version orders each row before or after every change of a limit.
 */
async function insertRows(db: Database, entries: readonly JournalEntry[]): Promise<Set<string> | null> {
  try {
    const rows = await executePrepared<{ id: string }>(
      db,
      sql`
      WITH current AS MATERIALIZED (
        SELECT version, set_config('synchronous_commit', 'off', true)
        FROM gateway.limits_version WHERE id = 1 FOR SHARE
      )
      INSERT INTO gateway.budget_holds (id, server_id, organization_id, request_id, application_id, api_key_id, user_id,
        family, provider, model, paid_by, amount_nano_usd, parts, held_at)
      SELECT i, s, o, r, a, k, u, f, p, m, b, n, parts, t
      FROM json_to_recordset(${JSON.stringify(entries.map(toJson))}::json) AS given (
        i uuid, s uuid, o uuid, r text, a text, k uuid, u text, f text, p text, m text, b text, n bigint, parts jsonb,
        t timestamptz, v bigint)
      JOIN current ON given.v IS NULL OR current.version = given.v
      ON CONFLICT (id) DO NOTHING RETURNING id`,
    )
    return new Set(rows.map(({ id }) => id))
  } catch (error) {
    const cause = error instanceof Error && error.cause ? error.cause : error
    if (cause instanceof postgres.PostgresError && cause.code === '23503') return null
    throw error
  }
}

const toJson = ({ id, serverId, request, amountNanoUsd, parts, heldAt, version }: JournalEntry) => ({
  i: id,
  s: serverId,
  o: request.organizationId,
  r: request.requestId,
  a: request.applicationId,
  k: request.apiKeyId,
  u: request.userId,
  f: request.family,
  p: request.provider,
  m: request.model,
  b: request.paidBy,
  n: String(amountNanoUsd),
  parts,
  t: heldAt,
  v: version,
})
