import type { Database } from '#lib/db.ts'
import { renewLeases } from '#lib/due.ts'
import { duePosts } from './claim.ts'

interface Terms {
  owner: string
  leaseMs: number
  /** What a lease must have left before a provider is called: the longest that the call may take. */
  callMs: number
}

/** The leases that this process holds, by its own monotonic clock: a process that stood still learns it from them. */
export class Leases {
  readonly #until = new Map<string, number>()
  readonly #db: Database
  readonly #terms: Terms

  constructor(db: Database, terms: Terms) {
    this.#db = db
    this.#terms = terms
  }

  /** A lease won by a statement that was sent at `asked` (`performance.now()`). */
  hold(postId: string, asked: number): void {
    this.#until.set(postId, asked + this.#terms.leaseMs)
  }

  drop(postId: string): void {
    this.#until.delete(postId)
  }

  /** Pushes all of them ahead; those that another process took are gone. */
  async renew(ids = [...this.#until.keys()]): Promise<void> {
    if (ids.length === 0) return
    const asked = performance.now()
    const { owner, leaseMs } = this.#terms
    const kept = await renewLeases(this.#db, { ...duePosts, owner, leaseMs, ids })
    for (const id of ids) if (!kept.has(id)) this.drop(id)
    for (const id of kept) if (this.#until.has(id)) this.hold(id, asked)
  }

  /** Whether a call may begin now and end within the lease; asks for more time once when it is short. */
  async covers(postId: string): Promise<boolean> {
    if (this.#isLong(postId)) return true
    if (this.#until.has(postId)) await this.renew([postId])
    return this.#isLong(postId)
  }

  #isLong(postId: string): boolean {
    return (this.#until.get(postId) ?? -Infinity) - performance.now() > this.#terms.callMs
  }
}
