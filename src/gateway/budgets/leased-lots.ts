import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'
import { newId } from '#lib/ids.ts'
import type { Counted } from './counters.ts'
import { Granter } from './granter.ts'
import { returnLeases } from './leases.ts'
import type { Limit } from './limit.ts'
import { createLot, lotKey, type Lot } from './lots.ts'
import { periodAt } from './period.ts'
import type { Presence } from './presence.ts'
import { reconcile } from './reconcile.ts'
import type { HoldRequest } from './types.ts'

/** How far a request has come in getting budget. */
export interface Attempt {
  hasAsked: boolean
  /** `performance.now()` until which it waits for budget from other servers. */
  recallUntil: number | null
  /** Nothing more comes: take what is there, or refuse. */
  isFinal: boolean
  /** It waited for requests whose cost was being stored: they release the rest of their holds. */
  hasSettled: boolean
}

const tickMs = 250
/** An unused lease goes back after so long. */
const idleMs = 1_000
const recallMs = 250
const forgetMs = 60_000

const LotName = z.object({ limitId: z.string(), periodStart: z.number(), from: z.string() })
const recallEvent = 'gateway.recall'
const returnEvent = 'gateway.returned'

/** Asks every server for what it doesn't use of a period. */
export const recallLeases = (
  events: Pick<Events, 'publish'>,
  tx: Database,
  { limit, periodStart }: Pick<Counted, 'limit' | 'periodStart'>,
): Promise<void> =>
  events.publish(tx, recallEvent, { limitId: limit.id, periodStart: periodStart.getTime(), from: 'ledger' })

interface Options {
  db: Database
  events: Pick<Events, 'publish' | 'subscribe'>
  presence: Presence
  onUnknownLimit(): void
  onFault(error: unknown): void
  /** A few times a second, while there are lots. */
  onTick(): void
}

/** What this process has leased: gets it, and gives back what it doesn't use. */
export class LeasedLots {
  readonly #options: Options
  readonly #granter: Granter
  readonly #name = newId()
  #lots = new Map<string, Lot>()
  /** Saves computing the period for each request. */
  #latest = new WeakMap<Limit, Lot>()
  readonly #retired = new Set<Lot>()
  readonly #returned = new Map<string, Set<() => void>>()
  #ticking: Timer | undefined
  #tick: Promise<void> | undefined

  constructor(options: Options) {
    this.#options = options
    const { db, presence, events, onUnknownLimit } = options
    this.#granter = new Granter({
      db,
      serverId: () => presence.id,
      onLost: () => presence.lose(),
      onUnknownLimit,
    })
    this.#subscribe(events)
  }

  /** Of the period at that time. */
  of(limit: Limit, at: Date): Lot {
    const latest = this.#latest.get(limit)
    if (latest && latest.window.start <= at && (latest.window.end === null || at < latest.window.end)) return latest
    const lot = this.#find(limit, at)
    this.#latest.set(limit, lot)
    return lot
  }

  #find(limit: Limit, at: Date): Lot {
    const window = periodAt(limit.period, limit.timeZone, at)
    const key = lotKey(limit.id, window.start)
    const known = this.#lots.get(key)
    if (known && limit.limitNanoUsd === known.limitNanoUsd) return known
    if (known && limit.limitNanoUsd > known.limitNanoUsd) {
      known.limitNanoUsd = limit.limitNanoUsd
      known.shortage = null
      return known
    }
    const lot = createLot(limit, window)
    this.#lots.set(key, lot)
    if (known) this.#retire(known, lot)
    this.#ticking ??= this.#startTicking()
    return lot
  }

  /** Others have taken over what was leased. */
  forget(): void {
    this.#lots = new Map()
    this.#latest = new WeakMap()
    this.#retired.clear()
  }

  /** Ends its timer. */
  abandon(): void {
    clearInterval(this.#ticking)
  }

  /** Waits for what the timer started. */
  async idle(): Promise<void> {
    await this.#tick
  }

  /** One step towards the amount; the caller tries to take it after each. @throws when the database can't be reached */
  async lease(lots: readonly Lot[], request: HoldRequest, attempt: Attempt): Promise<void> {
    for (const { returning } of lots) await returning
    const missing = lots.filter(({ shortage }) => shortage)
    if (!attempt.hasAsked || missing.length === 0) {
      attempt.hasAsked = true
      await this.#granter.ask(lots, request.maxNanoUsd)
      return
    }
    attempt.recallUntil ??= performance.now() + recallMs
    const leftMs = attempt.recallUntil - performance.now()
    if (leftMs <= 0 || missing.some(({ shortage }) => !shortage?.othersLeased)) {
      attempt.isFinal = true
      return
    }
    await this.#recall(missing, leftMs)
    await this.#granter.ask(lots, request.maxNanoUsd)
  }

  /** Asks other servers for what they don't use, and waits until one gives something back. */
  async #recall(lots: readonly Lot[], waitMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, waitMs)
    for (const lot of lots) this.#waitingFor(lot.key).add(resolve)
    const now = performance.now()
    const due = lots.filter(({ recallSentAt }) => recallSentAt < now - recallMs)
    for (const lot of due) lot.recallSentAt = now
    for (const lot of due) await this.#publish(recallEvent, lot)
    await promise
    clearTimeout(timer)
    for (const lot of lots) this.#returned.get(lot.key)?.delete(resolve)
  }

  #waitingFor(key: string): Set<() => void> {
    const known = this.#returned.get(key) ?? new Set()
    this.#returned.set(key, known)
    return known
  }

  /** What was released goes back at once when another server asked for it. */
  async returnRecalled(lots: readonly Lot[]): Promise<void> {
    const recalled = lots.filter(({ recalledAt }) => recalledAt > performance.now() - idleMs)
    if (recalled.length > 0) await this.#return(recalled).catch(this.#options.onFault)
  }

  /** After a change of the limit. */
  returnAll(limitId: string): void {
    const changed = [...this.#lots.values()].filter((lot) => lot.limitId === limitId)
    for (const lot of changed) lot.shortage = null
    void this.#return(changed).catch(this.#options.onFault)
  }

  /** What was leased under a higher limit goes back before its successor leases, the rest when its requests end. */
  #retire(lot: Lot, successor: Lot): void {
    lot.recalledAt = Infinity
    this.#retired.add(lot)
    void this.#return([lot]).catch((error: unknown) => {
      successor.uncertain = true
      this.#options.onFault(error)
    })
    successor.returning = lot.returning
  }

  #startTicking(): Timer {
    const timer = setInterval(() => {
      this.#options.onTick()
      this.#tick ??= this.#maintain()
        .catch(this.#options.onFault)
        .finally(() => (this.#tick = undefined))
    }, tickMs)
    timer.unref()
    return timer
  }

  /** Gives back what isn't used, and repairs what failed. */
  async #maintain(): Promise<void> {
    const now = performance.now()
    const lots = [...this.#lots.values()]
    await this.#return([...lots.filter(({ usedAt }) => usedAt < now - idleMs), ...this.#retired])
    for (const lot of this.#retired) if (lot.held === 0n && lot.free === 0n) this.#retired.delete(lot)
    const retiredKeys = new Set([...this.#retired].map(({ key }) => key))
    // After a crash of the database, lost costs are stored again first: they aren’t a surplus.
    if (lots.some(({ uncertain }) => uncertain)) await this.#options.presence.renew()
    const serverId = this.#options.presence.id
    for (const lot of lots)
      if (serverId !== null && lot.uncertain && lot.pending === 0 && !retiredKeys.has(lot.key))
        lot.uncertain = !(await reconcile(this.#options.db, serverId, lot))
    for (const lot of lots)
      if (lot.free === 0n && lot.held === 0n && lot.pending === 0 && !lot.uncertain && lot.usedAt < now - forgetMs)
        this.#drop(lot)
  }

  #drop(lot: Lot): void {
    this.#lots.delete(lot.key)
    this.#latest = new WeakMap()
  }

  async #return(lots: readonly Lot[]): Promise<void> {
    const serverId = this.#options.presence.id
    // Those of a former registration belong to leases that others have ended.
    const isOwn = (lot: Lot): boolean => this.#lots.get(lot.key) === lot || this.#retired.has(lot)
    const given = serverId === null ? [] : lots.filter((lot) => lot.free > 0n && isOwn(lot))
    if (serverId === null || given.length === 0) return
    const returning = this.#store(serverId, given)
    const settled = returning.catch(() => {})
    for (const lot of given) lot.returning = settled
    await returning.finally(() => {
      for (const lot of given) if (lot.returning === settled) lot.returning = null
    })
    for (const lot of given) await this.#publish(returnEvent, lot)
  }

  async #store(serverId: string, lots: readonly Lot[]): Promise<void> {
    const returns = lots.map((lot) => {
      const amountNanoUsd = lot.free
      lot.free = 0n
      lot.pending++
      return { limitId: lot.limitId, periodStart: lot.window.start, amountNanoUsd }
    })
    try {
      await returnLeases(this.#options.db, serverId, returns)
    } catch (error) {
      for (const lot of lots) lot.uncertain = true
      throw error
    } finally {
      for (const lot of lots) lot.pending--
    }
  }

  #publish(event: string, { limitId, window }: Lot): Promise<void> {
    const payload = { limitId, periodStart: window.start.getTime(), from: this.#name }
    return this.#options.events.publish(this.#options.db, event, payload)
  }

  #subscribe(events: Options['events']): void {
    events.subscribe(recallEvent, LotName, ({ limitId, periodStart, from }) => {
      const lot = this.#lots.get(lotKey(limitId, new Date(periodStart)))
      if (!lot || from === this.#name) return
      lot.recalledAt = performance.now()
      void this.#return([lot]).catch(this.#options.onFault)
    })
    events.subscribe(returnEvent, LotName, ({ limitId, periodStart, from }) => {
      const key = lotKey(limitId, new Date(periodStart))
      const lot = this.#lots.get(key)
      if (from === this.#name) return
      if (lot) lot.refusedAt = -Infinity
      for (const resolve of this.#returned.get(key) ?? []) resolve()
      this.#returned.delete(key)
    })
  }
}
