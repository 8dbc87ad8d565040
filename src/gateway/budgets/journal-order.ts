import { sql } from 'drizzle-orm'
import { transact, type Database } from '#lib/db.ts'
import { retryLater } from '#lib/errors.ts'
import { limitsLock } from './counters.ts'
import type { Presence } from './presence.ts'

interface Options {
  db: Database
  presence: Presence
  onFault(error: unknown): void
  /** Writes the rows of all holds, and stores all costs. */
  writeAll(): Promise<void>
  /** Of the limits, which can't change from now on without `enter` before. */
  onVersion(version: number): void
}

const minMs = 1_000

/**
 * Whether the row of a hold is written before its provider is called. Usually it isn't: the lease covers a hold of the
 * last milliseconds. But a new limit has no lease of them, so a change of limits first makes all servers write rows.
 */
export class JournalOrder {
  readonly #options: Options
  #isFirst = true
  #enteredAt = -Infinity
  /** Counts `enter`. */
  #entered = 0
  #moving: Promise<void> = Promise.resolve()
  #isLeaving = false

  constructor(options: Options) {
    this.#options = options
  }

  get isFirst(): boolean {
    return this.#isFirst
  }

  /** After a registration, which says so in the database. */
  reset(): void {
    this.#entered++
    this.#isFirst = true
  }

  /** Before a limit changes. The database knows once all earlier holds have their rows. */
  enter(): void {
    this.#enteredAt = performance.now()
    this.reset()
    this.#move(async (serverId) => {
      await this.#options.writeAll()
      await this.#options.db.execute(sql`
        UPDATE gateway.gateway_servers SET journals_first = true WHERE id = ${serverId} AND NOT journals_first`)
    })
  }

  /** When no limit is being changed anymore. */
  leave(): void {
    if (!this.#isFirst || this.#isLeaving || performance.now() - this.#enteredAt < minMs) return
    this.#isLeaving = true
    const entered = this.#entered
    this.#move(async (serverId) => {
      this.#isLeaving = false
      const version = await leave(this.#options.db, serverId)
      if (version === null) return
      this.#options.onVersion(version)
      if (entered === this.#entered) this.#isFirst = false
    })
  }

  #move(step: (serverId: string) => Promise<void>): void {
    this.#moving = this.#moving
      .then(async () => {
        const { id } = this.#options.presence
        if (id === null) this.#isLeaving = false
        else await step(id)
      })
      .catch(this.#options.onFault)
  }
}

/** Null while a limit is being changed. The lock orders it before or after each change. */
const leave = (db: Database, serverId: string): Promise<number | null> =>
  transact(db, async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock_shared(${limitsLock})`)
    const [row] = await tx.execute<{ version: string }>(sql`
      UPDATE gateway.gateway_servers SET journals_first = false FROM gateway.limits_version
      WHERE gateway_servers.id = ${serverId} AND limits_version.id = 1 AND journal_first_until < clock_timestamp()
      RETURNING version::text`)
    return row ? Number(row.version) : null
  })

const pollMs = 10
const waitMs = 5_000

/** Makes all servers write rows first. `publish` says so to those that listen; the others notice with a heartbeat. */
export async function requestJournals(db: Database, staleMs: number, publish: () => Promise<void>): Promise<void> {
  await db.execute(sql`
    UPDATE gateway.limits_version SET journal_first_until = clock_timestamp() + interval '10 seconds' WHERE id = 1`)
  if (await areAllFirst(db, staleMs)) return
  await publish()
  for (const until = performance.now() + waitMs; !(await areAllFirst(db, staleMs));) {
    if (performance.now() > until) throw notReady()
    await Bun.sleep(pollMs)
  }
}

/** Orders the change before or after each hold and each commit of usage. @throws {Problem} 503 */
export async function lockLimits(tx: Database, staleMs: number): Promise<void> {
  await tx.execute(sql`UPDATE gateway.limits_version SET version = version + 1 WHERE id = 1`)
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${limitsLock})`)
  if (!(await areAllFirst(tx, staleMs))) throw notReady()
}

/** Those that couldn't renew their heartbeat for half of the stale time hold nothing. */
async function areAllFirst(db: Database, staleMs: number): Promise<boolean> {
  const [row] = await db.execute(sql`
    SELECT 1 FROM gateway.gateway_servers
    WHERE NOT journals_first AND last_seen_at > clock_timestamp() - ${staleMs / 2} * interval '1 millisecond' LIMIT 1`)
  return row === undefined
}

const notReady = () =>
  retryLater(503, 'budgets_unavailable', 'A server didn’t prepare for the change. Try again in a few seconds.', {
    nothingDone: true,
  })
