import { z } from 'zod'
import { nextDue } from '#lib/db/due.ts'
import { newId } from '#lib/ids.ts'
import { logFault } from '#lib/log/fault.ts'
import type { Log } from '#lib/log.ts'
import { Leases } from '../lease.ts'
import { pause } from '../pause.ts'
import type { Publishing } from '../send-context.ts'
import type { Slot } from '../slots.ts'
import { killAt } from '../steps.ts'
import { claimComments, dueComments, type CommentClaim } from './claim.ts'
import { writeComment } from './write.ts'

interface CommenterDependencies extends Omit<
  Publishing,
  'now' | 'observe' | 'owner' | 'leases' | 'stopping' | 'onLateness'
> {
  log: Pick<Log, 'error'>
}

/** Comments that this process writes at the same time. */
const maxUnderWay = 32
/** The longest timer. Polls are more frequent. */
const maxTimerMs = 60_000

/** Writes the first comments of published posts. Any number of them can share a database. */
export class Commenter {
  readonly #dependencies: CommenterDependencies
  readonly #publishing: Publishing
  readonly #leases: Leases
  readonly #stopping = new AbortController()
  readonly #underWay = new Map<string, Promise<void>>()
  #heartbeat: Timer | undefined
  #timer: Timer | undefined
  /** From `performance.now()` to the database's clock; to this machine's until that is known. */
  #offset = Date.now() - performance.now()
  #isPolling = false
  #pollsAgain = false

  constructor(dependencies: CommenterDependencies) {
    const { database, config } = dependencies
    const owner = newId()
    this.#dependencies = dependencies
    this.#leases = new Leases(database.db, dueComments, {
      owner,
      leaseMs: config.PUBLISH_LEASE_MS,
      callMs: config.PROVIDER_TIMEOUT_MS,
    })
    const observe = killAt(config.KILL_AT, 'comment_')
    const now = () => new Date(performance.now() + this.#offset)
    this.#publishing = { ...dependencies, now, observe, owner, leases: this.#leases, stopping: this.#stopping.signal }
  }

  start(): void {
    const { config, events } = this.#dependencies
    const Due = z.object({ at: z.iso.datetime({ offset: true }) })
    events.subscribe('social.due', Due, ({ at }) => this.wake(new Date(at)))
    events.onGap(() => this.wake())
    this.#heartbeat = setInterval(
      () =>
        void this.#leases
          .renew()
          .catch((error: unknown) => this.#logFault('renewing the leases of first comments failed', error)),
      config.PUBLISH_HEARTBEAT_MS,
    )
    this.wake()
  }

  wake(at?: Date): void {
    const delay = at ? at.getTime() - this.#publishing.now().getTime() : 0
    if (delay <= 0) void this.#poll()
    else this.#setTimer(delay)
  }

  /** Claims no more comments, and waits at most `graceMs` for running requests. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    await Promise.race([Promise.all(this.#underWay.values()), Bun.sleep(graceMs)])
    clearInterval(this.#heartbeat)
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
        const { dueAt, now } = await nextDue(this.#dependencies.database.db, dueComments)
        this.#offset = now - performance.now()
        if (dueAt !== null) this.#setTimer(Math.ceil(dueAt - now))
      }
    } catch (error) {
      this.#logFault('search for due first comments failed', error)
    } finally {
      this.#isPolling = false
    }
  }

  async #claim(): Promise<void> {
    const { database, config } = this.#dependencies
    const { owner, observe } = this.#publishing
    const limit = maxUnderWay - this.#underWay.size
    if (limit === 0) return
    observe('claiming', null)
    const requestedAt = performance.now()
    const claims = await claimComments(database.db, { owner, leaseMs: config.PUBLISH_LEASE_MS, limit })
    for (const claim of claims) this.#begin(claim, requestedAt)
  }

  #begin(claim: CommentClaim, requestedAt: number): void {
    const { postId } = claim
    // Its lease expired while this process was stopped. Another one can have written the comment in the meantime: the
    // work that is under way has to end, and what it leaves is reconciled when this lease expires.
    if (this.#underWay.has(postId)) {
      this.#leases.drop(postId)
      return
    }
    this.#leases.hold(postId, requestedAt)
    this.#publishing.observe('claimed', postId)
    const work = writeComment(this.#publishing, claim, slot)
      .catch((error: unknown) => this.#logFault('writing a first comment failed unexpectedly', error, postId))
      .finally(() => {
        this.#leases.drop(postId)
        this.#underWay.delete(postId)
        void this.#poll()
      })
    this.#underWay.set(postId, work)
  }

  #setTimer(delay: number): void {
    if (this.#stopping.signal.aborted) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#poll(), Math.min(delay, maxTimerMs))
  }

  #logFault(message: string, error: unknown, post?: string): void {
    logFault(this.#dependencies.log, message, error, post === undefined ? {} : { post })
  }
}

/** How many run at once is decided when they are claimed. */
const slot: Slot = { lend: (work) => work(), rest: pause, release: () => {} }
