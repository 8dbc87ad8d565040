import { z } from 'zod'
import { nextDue } from '#lib/due.ts'
import { logFault } from '#lib/fault-log.ts'
import { newId } from '#lib/ids.ts'
import type { Log } from '#lib/log.ts'
import { claimPosts, duePosts, markQueuedPosts, type Claim } from './claim.ts'
import { Leases } from './lease.ts'
import { mostPerHost, mostPerOrganization, Places, share } from './places.ts'
import { publish, type Publishing } from './publish.ts'
import { killAt, type Observe } from './steps.ts'

interface Parts extends Omit<Publishing, 'now' | 'observe' | 'owner' | 'leases' | 'stopping'> {
  log: Pick<Log, 'error'>
  observe?: Observe
}

/** Publishes what comes due, in this process. */
export interface Scheduler {
  /** Begins to look for due posts: now, when one comes due, and when another process tells of one. */
  start(): void
  /** Looks for due posts at a time: at once when it is past. */
  wake(at?: Date): void
  /** Claims nothing more, and gives the attempts under way `graceMs` to end. */
  stop(graceMs: number): Promise<void>
}

/** Milliseconds between looks at what stands behind others. */
const queuedEvery = 5_000
/** The longest wait that a timer is set for; the schedule's tick looks more often anyway. */
const farthest = 60_000

/** Makes the scheduler of one process; any number of them share a database. */
export function createScheduler(parts: Parts): Scheduler {
  return new Publisher(parts)
}

class Publisher implements Scheduler {
  readonly #parts: Parts
  readonly #publishing: Publishing
  readonly #leases: Leases
  readonly #stopping = new AbortController()
  readonly #underWay = new Map<Claim, Promise<void>>()
  readonly #places = new Places(() => void this.#look())
  readonly #intervals: Timer[] = []
  #timer: Timer | undefined
  #timerAt = Infinity
  /** From `performance.now()` to the database's clock; to this machine's until that is known. */
  #offset = Date.now() - performance.now()
  #looking = false
  #again = false

  constructor(parts: Parts) {
    const { database, config } = parts
    const owner = newId()
    this.#parts = parts
    this.#leases = new Leases(database.db, {
      owner,
      leaseMs: config.PUBLISH_LEASE_MS,
      callMs: config.PROVIDER_TIMEOUT_MS,
    })
    const observe = parts.observe ?? killAt(config.KILL_AT)
    const now = () => new Date(this.#now())
    this.#publishing = { ...parts, now, observe, owner, leases: this.#leases, stopping: this.#stopping.signal }
  }

  start(): void {
    const { database, config, events } = this.#parts
    const Due = z.object({ at: z.iso.datetime({ offset: true }) })
    events.subscribe('social.due', Due, ({ at }) => this.wake(new Date(at)))
    events.onGap(() => this.wake())
    this.#every(config.PUBLISH_HEARTBEAT_MS, () => this.#leases.renew())
    this.#every(queuedEvery, () => markQueuedPosts(database.db, events))
    this.wake()
  }

  wake(at?: Date): void {
    const delay = at ? at.getTime() - this.#now() : 0
    if (delay <= 0) void this.#look()
    else this.#setTimer(delay)
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    await Promise.race([Promise.all(this.#underWay.values()), Bun.sleep(graceMs)])
    for (const interval of this.#intervals) clearInterval(interval)
  }

  /** One look at a time; a wish for another while it runs is one more look after it. */
  async #look(): Promise<void> {
    this.#again = true
    if (this.#looking) return
    this.#looking = true
    try {
      while (this.#again && !this.#stopping.signal.aborted) {
        this.#again = false
        await this.#claim()
        await this.#sleepUntilNext()
      }
    } catch (error) {
      this.#complain('search for due posts failed', error)
    } finally {
      this.#looking = false
    }
  }

  async #claim(): Promise<void> {
    const { database, config } = this.#parts
    const { owner, observe } = this.#publishing
    const limit = Math.min(mostPerHost, this.#places.free())
    if (limit === 0) return
    observe('claiming', null)
    const asked = performance.now()
    const claims = await claimPosts(database.db, {
      owner,
      leaseMs: config.PUBLISH_LEASE_MS,
      busy: new Set([...this.#underWay.keys()].flatMap(({ lane }) => lane ?? [])),
      perHost: mostPerHost,
      perOrganization: mostPerOrganization,
      share,
      freeByHost: this.#places.freeByHost(),
      freeByOrganization: this.#places.freeByOrganization(),
      takenByShare: this.#places.takenByShare(),
      limit,
    })
    for (const claim of claims) this.#begin(claim, asked)
    // The oldest are claimed first, which can all be of one organization.
    if (claims.length === limit) this.#again = true
  }

  #begin(claim: Claim, asked: number): void {
    this.#leases.hold(claim.postId, asked)
    this.#publishing.observe('claimed', claim.postId)
    const place = this.#places.take({ host: claim.host ?? '', organizationId: claim.organizationId })
    const work = publish(this.#publishing, claim, place)
      .catch((error: unknown) => this.#complain('publishing failed unexpectedly', error, claim.postId))
      .finally(() => {
        this.#leases.drop(claim.postId)
        this.#underWay.delete(claim)
        place.leave()
        void this.#look()
      })
    this.#underWay.set(claim, work)
  }

  async #sleepUntilNext(): Promise<void> {
    const { dueAt, now } = await nextDue(this.#parts.database.db, duePosts)
    this.#offset = now - performance.now()
    if (dueAt !== null) this.#setTimer(Math.ceil(dueAt - now))
  }

  /** The time by the database's clock, as of the last look at it: the one of this machine can be wrong. */
  #now(): number {
    return performance.now() + this.#offset
  }

  /** The soonest of the wishes wins; when it comes, the database tells the next. */
  #setTimer(delay: number): void {
    const at = performance.now() + Math.min(delay, farthest)
    if (this.#stopping.signal.aborted || (at >= this.#timerAt && this.#timerAt > performance.now())) return
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(
      () => {
        this.#timerAt = Infinity
        void this.#look()
      },
      Math.min(delay, farthest),
    )
  }

  #every(ms: number, act: () => Promise<unknown>): void {
    const run = () => void act().catch((error: unknown) => this.#complain('the scheduler failed', error))
    this.#intervals.push(setInterval(run, ms))
  }

  #complain(message: string, error: unknown, post?: string): void {
    logFault(this.#parts.log, message, error, post === undefined ? {} : { post })
  }
}
