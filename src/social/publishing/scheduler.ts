import { z } from 'zod'
import { nextDue } from '#lib/db/due.ts'
import { logFault } from '#lib/log/fault.ts'
import { newId } from '#lib/ids.ts'
import type { Log } from '#lib/log.ts'
import { claimPosts, duePosts, markQueuedPosts, type Claim } from './claim.ts'
import { Leases } from './lease.ts'
import { maxPerHost, maxPerOrganization, Slots, reservedShare } from './slots.ts'
import { publish } from './publish.ts'
import type { Publishing } from './send-context.ts'
import { killAt, type Observe } from './steps.ts'

interface SchedulerDependencies extends Omit<Publishing, 'now' | 'observe' | 'owner' | 'leases' | 'stopping'> {
  log: Pick<Log, 'error'>
  observe?: Observe
}

export interface Scheduler {
  start(): void
  wake(at?: Date): void
  /** Claims no more posts, and waits at most `graceMs` for running attempts. */
  stop(graceMs: number): Promise<void>
}

/** Between updates of posts that wait behind others. */
const markQueuedMs = 5_000
/** The longest timer. Polls are more frequent. */
const maxTimerMs = 60_000

/** Any number of schedulers can share a database. */
export function createScheduler(dependencies: SchedulerDependencies): Scheduler {
  return new Publisher(dependencies)
}

class Publisher implements Scheduler {
  readonly #dependencies: SchedulerDependencies
  readonly #publishing: Publishing
  readonly #leases: Leases
  readonly #stopping = new AbortController()
  readonly #underWay = new Map<string, { claim: Claim; work: Promise<void> }>()
  readonly #slots = new Slots(() => void this.#poll())
  readonly #intervals: Timer[] = []
  #timer: Timer | undefined
  #timerAt = Infinity
  /** From `performance.now()` to the database's clock; to this machine's until that is known. */
  #offset = Date.now() - performance.now()
  #isPolling = false
  #pollsAgain = false

  constructor(dependencies: SchedulerDependencies) {
    const { database, config } = dependencies
    const owner = newId()
    this.#dependencies = dependencies
    this.#leases = new Leases(database.db, duePosts, {
      owner,
      leaseMs: config.PUBLISH_LEASE_MS,
      callMs: config.PROVIDER_TIMEOUT_MS,
    })
    const observe = dependencies.observe ?? killAt(config.KILL_AT)
    const now = () => new Date(this.#now())
    this.#publishing = { ...dependencies, now, observe, owner, leases: this.#leases, stopping: this.#stopping.signal }
  }

  start(): void {
    const { database, config, events } = this.#dependencies
    const Due = z.object({ at: z.iso.datetime({ offset: true }) })
    events.subscribe('social.due', Due, ({ at }) => this.wake(new Date(at)))
    events.onGap(() => this.wake())
    this.#every(config.PUBLISH_HEARTBEAT_MS, () => this.#leases.renew())
    this.#every(markQueuedMs, () => markQueuedPosts(database.db, events))
    this.wake()
  }

  wake(at?: Date): void {
    const delay = at ? at.getTime() - this.#now() : 0
    if (delay <= 0) void this.#poll()
    else this.#setTimer(delay)
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    const works = [...this.#underWay.values()].map(({ work }) => work)
    await Promise.race([Promise.all(works), Bun.sleep(graceMs)])
    for (const interval of this.#intervals) clearInterval(interval)
  }

  /** A call during another one repeats that one at its end. */
  async #poll(): Promise<void> {
    this.#pollsAgain = true
    if (this.#isPolling) return
    this.#isPolling = true
    try {
      while (this.#pollsAgain && !this.#stopping.signal.aborted) {
        this.#pollsAgain = false
        await this.#claim()
        await this.#sleepUntilNext()
      }
    } catch (error) {
      this.#logFault('search for due posts failed', error)
    } finally {
      this.#isPolling = false
    }
  }

  async #claim(): Promise<void> {
    const { database, config } = this.#dependencies
    const { owner, observe } = this.#publishing
    const limit = Math.min(maxPerHost, this.#slots.free())
    if (limit === 0) return
    observe('claiming', null)
    const requestedAt = performance.now()
    const claims = await claimPosts(database.db, {
      owner,
      leaseMs: config.PUBLISH_LEASE_MS,
      busy: new Set([...this.#underWay.values()].flatMap(({ claim: { lane } }) => lane ?? [])),
      perHost: maxPerHost,
      perOrganization: maxPerOrganization,
      share: reservedShare,
      freeByHost: this.#slots.freeByHost(),
      freeByOrganization: this.#slots.freeByOrganization(),
      takenByShare: this.#slots.takenByShare(),
      limit,
    })
    for (const claim of claims) this.#begin(claim, requestedAt)
    // The oldest are claimed first, which can all be of one organization.
    if (claims.length === limit) this.#pollsAgain = true
  }

  #begin(claim: Claim, requestedAt: number): void {
    const { postId } = claim
    // Its lease expired while this process was stopped, and its account is another one since. Two works of one owner could
    // both send it: the first has to end, and what it leaves is reconciled when this lease expires.
    if (this.#underWay.has(postId)) {
      this.#leases.drop(postId)
      return
    }
    this.#leases.hold(postId, requestedAt)
    this.#publishing.observe('claimed', postId)
    const slot = this.#slots.take({ host: claim.host ?? '', organizationId: claim.organizationId })
    const work = publish(this.#publishing, claim, slot)
      .catch((error: unknown) => this.#logFault('publishing failed unexpectedly', error, postId))
      .finally(() => {
        this.#leases.drop(postId)
        this.#underWay.delete(postId)
        slot.release()
        void this.#poll()
      })
    this.#underWay.set(postId, { claim, work })
  }

  async #sleepUntilNext(): Promise<void> {
    const { dueAt, now } = await nextDue(this.#dependencies.database.db, duePosts)
    this.#offset = now - performance.now()
    if (dueAt !== null) this.#setTimer(Math.ceil(dueAt - now))
  }

  /** The time of the database's clock, since this machine's can be wrong. */
  #now(): number {
    return performance.now() + this.#offset
  }

  #setTimer(delay: number): void {
    const at = performance.now() + Math.min(delay, maxTimerMs)
    if (this.#stopping.signal.aborted || (at >= this.#timerAt && this.#timerAt > performance.now())) return
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(
      () => {
        this.#timerAt = Infinity
        void this.#poll()
      },
      Math.min(delay, maxTimerMs),
    )
  }

  #every(ms: number, work: () => Promise<unknown>): void {
    const run = () => void work().catch((error: unknown) => this.#logFault('the scheduler failed', error))
    this.#intervals.push(setInterval(run, ms))
  }

  #logFault(message: string, error: unknown, post?: string): void {
    logFault(this.#dependencies.log, message, error, post === undefined ? {} : { post })
  }
}
