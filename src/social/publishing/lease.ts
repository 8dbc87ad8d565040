import type { Database } from '#lib/db.ts'
import { renewLeases, type DueTable } from '#lib/db/due.ts'

interface LeaseOptions {
  owner: string
  leaseMs: number
  /** Milliseconds that a lease must have left before a provider is called: the time limit of the call. */
  callMs: number
}

/** The leases of this process, by its own monotonic clock, so that a process that was stopped notices it. */
export class Leases {
  readonly #until = new Map<string, number>()
  readonly #db: Database
  readonly #options: LeaseOptions
  readonly #due: DueTable

  constructor(db: Database, due: DueTable, options: LeaseOptions) {
    this.#db = db
    this.#due = due
    this.#options = options
  }

  /** Adds a lease that a statement sent at `requestedAt` (`performance.now()`) won. */
  hold(postId: string, requestedAt: number): void {
    this.#until.set(postId, requestedAt + this.#options.leaseMs)
  }

  drop(postId: string): void {
    this.#until.delete(postId)
  }

  async renew(ids = [...this.#until.keys()]): Promise<void> {
    if (ids.length === 0) return
    const requestedAt = performance.now()
    const { owner, leaseMs } = this.#options
    const kept = await renewLeases(this.#db, { ...this.#due, owner, leaseMs, ids })
    for (const id of ids) if (!kept.has(id)) this.drop(id)
    for (const id of kept) if (this.#until.has(id)) this.hold(id, requestedAt)
  }

  /** Whether a call that begins now ends within the lease. Renews the lease once when it doesn't. */
  async hasTimeFor(postId: string): Promise<boolean> {
    if (this.#isLong(postId)) return true
    if (this.#until.has(postId)) await this.renew([postId])
    return this.#isLong(postId)
  }

  #isLong(postId: string): boolean {
    return (this.#until.get(postId) ?? -Infinity) - performance.now() > this.#options.callMs
  }
}
