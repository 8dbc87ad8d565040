import { sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'

export interface PresenceOptions {
  /** Between heartbeats. */
  beatMs: number
  /** Without a heartbeat for so long, others count this server's holds as spent. */
  staleMs: number
  onError(error: unknown): void
  /** Others have taken over: nothing that was leased belongs to this server anymore. */
  onLost(): void
  /** The database was restarted since the last heartbeat. */
  onRestart(): Promise<void>
  /** A limit is being changed. */
  onJournalFirst(): void
}

/** This process in `gateway_servers`, from its first hold on. It stops holding before others could find it stale. */
export class Presence {
  readonly #db: Database
  readonly #options: PresenceOptions
  #id: string | null = null
  /** `performance.now()`. */
  #until = -Infinity
  #beating: Timer | undefined
  #renewing: Promise<void> | undefined
  #isClosed = false
  /** When the database was started. */
  #epoch: string | null = null

  constructor(db: Database, options: PresenceOptions) {
    this.#db = db
    this.#options = options
  }

  /** Null unless the last heartbeat was recent. */
  get id(): string | null {
    return performance.now() < this.#until ? this.#id : null
  }

  /** Also when the last heartbeat wasn't recent. */
  get lastId(): string | null {
    return this.#id
  }

  /** @throws when the database can't be reached, and after `close` */
  async ensure(): Promise<string> {
    if (this.id === null) await this.renew()
    if (this.id === null) throw new Error('This server could not register to hold budget')
    return this.id
  }

  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined))
    return this.#renewing
  }

  /** After the database said that this server isn't registered. */
  lose(): void {
    this.#id = null
    this.#until = -Infinity
    this.#options.onLost()
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#beating)
  }

  async #renew(): Promise<void> {
    if (this.#isClosed) return
    const sentAt = performance.now()
    const hasLapsed = this.#id !== null && sentAt >= this.#until
    if (this.#id !== null && !(await this.#beat(this.#id))) this.lose()
    // Limits can have changed without waiting for this server.
    else if (hasLapsed) this.#options.onJournalFirst()
    this.#id ??= await this.#register()
    this.#until = sentAt + this.#options.staleMs / 2
    if (this.#isClosed || this.#beating) return
    this.#beating = setInterval(() => void this.renew().catch(this.#options.onError), this.#options.beatMs)
    this.#beating.unref()
  }

  async #beat(id: string): Promise<boolean> {
    const [row] = await this.#db.execute<{ epoch: string; journalFirst: boolean }>(sql`
      UPDATE gateway.gateway_servers SET last_seen_at = clock_timestamp() WHERE id = ${id}
      RETURNING pg_postmaster_start_time()::text AS epoch,
        (SELECT journal_first_until > clock_timestamp() FROM gateway.limits_version) AS "journalFirst"`)
    if (row?.journalFirst) this.#options.onJournalFirst()
    if (row && this.#epoch !== null && row.epoch !== this.#epoch) await this.#options.onRestart()
    this.#epoch = row?.epoch ?? this.#epoch
    return row !== undefined
  }

  async #register(): Promise<string> {
    const id = newId()
    const [row] = await this.#db.execute<{ epoch: string }>(sql`
      INSERT INTO gateway.gateway_servers (id, last_seen_at) VALUES (${id}, clock_timestamp())
      RETURNING pg_postmaster_start_time()::text AS epoch`)
    if (row && this.#epoch !== null && row.epoch !== this.#epoch) await this.#options.onRestart()
    this.#epoch = row?.epoch ?? null
    return id
  }
}
