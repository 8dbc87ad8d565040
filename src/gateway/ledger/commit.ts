import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { createBatchWriter } from '#lib/batch.ts'
import { executePrepared, type DatabaseHandle, type Database } from '#lib/db.ts'
import type { Log } from '#lib/log.ts'
import { logFault } from '#lib/log/fault.ts'
import { addSpend, limitsLock, selectCounting, type Counted } from '../budgets/counters.ts'
import { spentAt, type OpenPart, type Part } from '../budgets/journal.ts'
import { moveLeases, type LeaseMove } from '../budgets/moves.ts'
import { reduceWriteOffs, type Reported } from '../budgets/write-offs.ts'
import { findStored, insertUsage, type Inserted, type UsageRow } from '../usage/insert.ts'
import { correctSuspects, type Correction } from './correct.ts'

declare module '#lib/call.ts' {
  interface Provided {
    readonly ledger: Ledger
  }
}

export interface Ledger {
  /**
   * Dedupe keys, raw rows, daily totals and budgets in one transaction, which it shares with other calls. `durable`
   * waits for the disk. @throws {Problem} 503 `busy`
   */
  commit(rows: readonly UsageRow[], options: { durable: boolean }): Promise<Inserted>
  /** The same for what a hold cost, and closes it. Retries until the database has it, at most until `close`. */
  settle(hold: OpenHold, rows: readonly UsageRow[]): Promise<void>
  /** Calls `observe` with what each transaction did, once it is committed. Returns a function that ends it. */
  watch(observe: (result: Inserted) => void): () => void
  /** Commits again what a crash of the database can have lost: it doesn't wait for the disk unless `durable`. */
  recommit(): Promise<void>
  /** Waits until what this process has settled so far is stored: callers have their responses before. */
  settled(): Promise<void>
  close(): Promise<void>
}

export interface OpenHold {
  id: string
  serverId: string
  organizationId: string
  requestId: string
  grantedNanoUsd: bigint
  parts: readonly OpenPart[]
  /** It can have a row in the journal. */
  isJournaled: boolean
}

interface Entry {
  rows: readonly UsageRow[]
  hold: OpenHold | null
  outcome: Inserted
  error: unknown
}

export interface LedgerDependencies {
  database: DatabaseHandle
  log: Pick<Log, 'error'>
  /** On the transaction, after counting. */
  onCounted(tx: Database, counted: readonly Counted[]): Promise<void>
}

/** Settlements of some requests share a transaction; their callers don't wait for it. */
const settleGatherMs = { quiet: 20, busy: 100 }
/** Of a transaction. */
const busyEntries = 20
const maxEntries = 500
const maxRows = 2_000
const maxWaiting = 5_000
const maxPauseMs = 5_000
/** Commits that are kept in memory to be repeated: more than a database forgets in a crash, its last 0.6 s. */
const maxRecent = 5_000
const recentMs = 60_000
/** While the database starts. */
const recommitAttempts = 10
const recommitPauseMs = 500

export function createLedger(dependencies: LedgerDependencies): Ledger {
  const { log } = dependencies
  const observers = new Set<(result: Inserted) => void>()
  const onCommitted = (result: Inserted) => {
    for (const observe of observers) observe(result)
  }
  let isClosed = false
  let latestEntries = 0
  const writerOf = (durable: boolean, waiting: number, gatherMs: number | (() => number)) =>
    createBatchWriter<Entry>({
      gatherMs,
      maxRows: maxEntries,
      maxWaiting: waiting,
      write: async (entries) => {
        if (!durable) latestEntries = entries.length
        for (const chunk of chunksOf(entries)) await writeChunk({ ...dependencies, onCommitted }, chunk, durable)
      },
    })
  const durable = writerOf(true, maxWaiting, 0)
  const quick = writerOf(false, Infinity, () =>
    latestEntries < busyEntries ? settleGatherMs.quiet : settleGatherMs.busy,
  )
  const underWay = new Set<Promise<void>>()
  let recent: { entry: Entry; at: number }[] = []
  const write = async (entry: Entry): Promise<void> => {
    await quick.add(entry)
    if (entry.error !== null || isEmpty(entry)) return
    const at = performance.now()
    if (recent.length >= 2 * maxRecent) recent = recent.slice(-maxRecent)
    recent.push({ entry, at })
  }
  const addQuick = (entry: Entry): Promise<void> => {
    const added = write(entry).finally(() => underWay.delete(added))
    underWay.add(added)
    return added
  }
  return {
    commit: async (rows, options) => {
      const entry = newEntry(rows, null)
      await (options.durable ? durable.add(entry) : addQuick(entry))
      if (entry.error !== null) throw entry.error
      return entry.outcome
    },
    settle: async (hold, rows) => {
      for (let pauseMs = 50; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
        const entry = newEntry(rows, hold)
        await addQuick(entry)
        if (entry.error === null) return
        logFault(log, 'settling a request', entry.error, { requestId: hold.requestId })
        if (isClosed) throw entry.error
        await Bun.sleep(pauseMs)
      }
    },
    watch: (observe) => {
      observers.add(observe)
      return () => void observers.delete(observe)
    },
    recommit: async () => {
      const since = performance.now() - recentMs
      let lost = recent.filter(({ at }) => at > since).map(({ entry }) => entry)
      recent = []
      for (let left = recommitAttempts; lost.length > 0 && left > 0; left--) {
        const repeated = lost.map(({ rows, hold }) => newEntry(rows, hold))
        await Promise.all(repeated.map(addQuick))
        lost = repeated.filter(({ error }) => error !== null)
        if (lost.length > 0) await Bun.sleep(recommitPauseMs)
      }
      for (const { error } of lost) logFault(log, 'repeating commits', error)
    },
    settled: async () => {
      quick.hurry()
      await Promise.allSettled(underWay)
    },
    close: async () => {
      isClosed = true
      await Promise.all([durable, quick].map((writer) => writer.flush()))
    },
  }
}

/** It stores nothing. */
const isEmpty = ({ rows, hold }: Entry): boolean => rows.length === 0 && hold?.isJournaled !== true

const newEntry = (rows: readonly UsageRow[], hold: OpenHold | null): Entry => ({
  rows,
  hold,
  outcome: { inserted: [], duplicates: [], conflicts: [] },
  error: null,
})

function chunksOf(entries: readonly Entry[]): Entry[][] {
  const chunks: Entry[][] = []
  let size = Infinity
  for (const entry of entries) {
    if (size + entry.rows.length > maxRows) {
      chunks.push([])
      size = 0
    }
    chunks.at(-1)?.push(entry)
    size += entry.rows.length
  }
  return chunks
}

interface Writing extends LedgerDependencies {
  onCommitted(result: Inserted): void
}

/** When a chunk fails, its entries are written one by one, so that none fails because of another. */
async function writeChunk(dependencies: Writing, entries: Entry[], durable: boolean): Promise<void> {
  const { database, onCommitted } = dependencies
  let committed: Inserted
  try {
    committed = await database.transaction((tx) => writeEntries(tx, dependencies, entries, durable))
  } catch (error) {
    const [only, ...others] = entries
    if (only && others.length === 0) only.error = error
    else for (const entry of entries) await writeChunk(dependencies, [entry], durable)
    return
  }
  onCommitted(committed)
}

async function writeEntries(
  tx: Database,
  { onCounted }: LedgerDependencies,
  entries: readonly Entry[],
  durable: boolean,
): Promise<Inserted> {
  const rows = entries.flatMap((entry) => entry.rows)
  // Sent at once, and executed in this order.
  const [, closed, limits, all] = await Promise.all([
    executePrepared(
      tx,
      sql`
      SELECT pg_advisory_xact_lock_shared(${limitsLock}),
        set_config('synchronous_commit', ${durable ? 'on' : 'off'}, true)`,
    ),
    closeHolds(tx, entries),
    selectCounting(tx, rows),
    insertUsage(tx, rows),
  ])
  const inserted = new Set(all.inserted)
  const unstored = await findUnstored(tx, entries, closed, inserted)
  const again = unstored.map((row) => ({ ...row, requestId: `${row.requestId}/${row.id}` }))
  if (again.length > 0) await insertUsage(tx, again)
  const stored = new Set([...inserted, ...unstored])
  const corrected = await correctSuspects(tx, correctionsOf(entries, closed, inserted))
  const spends = [...all.inserted, ...again, ...corrected]
  const counting = corrected.length > 0 ? await selectCounting(tx, spends) : limits
  const moves = movesOf(entries, closed, stored)
  const [counted, leased] = await Promise.all([addSpend(tx, counting, spends), moveLeases(tx, moves)])
  if (!leased.hasAll) await reduceWriteOffs(tx, reportedBy(entries, stored))
  await onCounted(
    tx,
    counted.map((one) => ({ ...one, leasedNanoUsd: leased.get(one) ?? one.leasedNanoUsd })),
  )
  assignOutcomes(entries, all)
  return { ...all, inserted: [...all.inserted, ...again] }
}

const ClosedHold = z.object({
  id: z.string(),
  parts: z.array(z.object({ limitId: z.string(), periodStart: z.coerce.date() })),
})

type Closed = Map<string, z.output<typeof ClosedHold>>

async function closeHolds(tx: Database, entries: readonly Entry[]): Promise<Closed> {
  const ids = entries.flatMap(({ hold }) => (hold?.isJournaled ? hold.id : []))
  if (ids.length === 0) return new Map()
  const rows = await executePrepared(
    tx,
    sql`
    DELETE FROM gateway.budget_holds WHERE id = ANY(${sql.param(ids)}::uuid[]) RETURNING id, parts`,
  )
  return new Map(rows.map((row) => ClosedHold.parse(row)).map((hold) => [hold.id, hold]))
}

/**
 * A provider was paid, so a request ID that is already in use must not make the request free. Not rows that an earlier
 * attempt at this transaction has stored: that deleted the hold, or stored the row’s own ID.
 */
async function findUnstored(
  tx: Database,
  entries: readonly Entry[],
  closed: Closed,
  inserted: ReadonlySet<UsageRow>,
): Promise<UsageRow[]> {
  const isOpen = ({ hold }: Entry) => hold !== null && (!hold.isJournaled || closed.has(hold.id))
  const missing = entries.filter((entry) => entry.rows.some((row) => !inserted.has(row)))
  const rows = missing.filter(isOpen).flatMap((entry) => entry.rows.filter((row) => !inserted.has(row)))
  if (rows.length === 0) return []
  const known = await findStored(tx, rows)
  return rows.filter(({ id }) => !known.has(id))
}

/** Of holds that another server has already counted as spent, because this one was stale. */
function correctionsOf(entries: readonly Entry[], closed: Closed, inserted: ReadonlySet<UsageRow>): Correction[] {
  return entries.flatMap(({ hold, rows }): readonly Correction[] => {
    if (!hold?.isJournaled || closed.has(hold.id)) return []
    const { organizationId, requestId } = hold
    if (rows.length === 0) return [{ organizationId, requestId, costNanoUsd: 0n, certainty: 'exact' as const }]
    return rows.filter((row) => !inserted.has(row))
  })
}

function movesOf(entries: readonly Entry[], closed: Closed, stored: ReadonlySet<UsageRow>): LeaseMove[] {
  const moves: LeaseMove[] = []
  const known = new Map<Part, LeaseMove>()
  const add = (serverId: string, part: Part, amount: bigint) => {
    const move = known.get(part)
    if (move?.serverId === serverId) move.amount += amount
    else {
      const first = { limitId: part.limitId, periodStart: part.periodStart, serverId, amount }
      known.set(part, first)
      moves.push(first)
    }
  }
  for (const { hold, rows } of entries) {
    if (!hold) continue
    const { serverId, parts, grantedNanoUsd, isJournaled } = hold
    const spent = rows.every((row) => stored.has(row)) ? rows : rows.filter((row) => stored.has(row))
    for (const part of parts) {
      const amount = spentAt(part, spent, grantedNanoUsd)
      // Without a row, the lease says whether it was written off.
      if (amount !== 0n || !isJournaled) add(serverId, part, amount)
    }
    const isClosed = closed.get(hold.id)
    if (!isClosed) continue
    const own = new Set(parts.map(keyOf))
    // A limit that is newer than the hold: its server doesn't know the part, so all of it is released here.
    for (const part of isClosed.parts) if (!own.has(keyOf(part))) add(serverId, part, grantedNanoUsd)
  }
  return moves
}

/** Holds of servers that others have found stale, which had no row to say what they held; not those of a repeated commit. */
const reportedBy = (entries: readonly Entry[], stored: ReadonlySet<UsageRow>): Reported[] =>
  entries.flatMap(({ hold, rows }) =>
    hold && !hold.isJournaled && (rows.length === 0 || rows.some((row) => stored.has(row)))
      ? hold.parts.map((part) => ({
          ...part,
          holdId: hold.id,
          serverId: hold.serverId,
          amountNanoUsd: hold.grantedNanoUsd,
        }))
      : [],
  )

const keyOf = ({ limitId, periodStart }: Part): string => `${limitId} ${periodStart.getTime()}`

function assignOutcomes(entries: readonly Entry[], all: Inserted): void {
  if (entries.length === 1 && entries[0]) {
    entries[0].outcome = all
    return
  }
  // The transaction can have been tried before.
  for (const entry of entries) entry.outcome = { inserted: [], duplicates: [], conflicts: [] }
  const entryOf = new Map(entries.flatMap((entry) => entry.rows.map((row) => [row, entry] as const)))
  for (const kind of ['inserted', 'duplicates', 'conflicts'] as const)
    for (const row of all[kind]) entryOf.get(row)?.outcome[kind].push(row)
}
