import { z } from 'zod'
import type { Database, DatabaseHandle } from '#lib/db.ts'
import { retryLater } from '#lib/errors.ts'
import type { Events } from '#lib/events.ts'
import { newId } from '#lib/ids.ts'
import type { Log } from '#lib/log.ts'
import { logFault } from '#lib/log/fault.ts'
import type { Clock } from '#lib/time.ts'
import type { Ledger, OpenHold } from '../ledger/commit.ts'
import type { UsageRow } from '../usage/insert.ts'
import type { Counted } from './counters.ts'
import { Granter } from './granter.ts'
import { createJournal, type Journal } from './journal.ts'
import { returnLeases } from './leases.ts'
import { LimitCache } from './limit-cache.ts'
import type { Limit } from './limit.ts'
import { createLot, freeOf, lotKey, release, take, type Lot } from './lots.ts'
import { periodAt } from './period.ts'
import { Presence } from './presence.ts'
import { reconcile } from './reconcile.ts'
import { keepLimits, lockStaleServer, recoverServer } from './recover.ts'
import { SoftSpend } from './soft-spend.ts'
import { readStates, stateOf } from './states.ts'
import type { DryRun, Hold, HoldRequest, HoldResult, LimitState, Refusal } from './types.ts'

declare module '#lib/call.ts' {
  interface Provided {
    readonly budgets: Budgets
  }
}

interface Budgets {
  /**
   * Takes the request's bound from every hard limit that counts it, or from none. The provider can be called once this
   * resolves. @throws {Problem} 503 `budgets_unavailable`
   */
  hold(request: HoldRequest): Promise<HoldResult>
  /** Commits what a hold cost, 0 to many billed attempts, and releases the rest. Their time becomes `heldAt`. */
  settle(hold: Hold, rows: readonly UsageRow[]): Promise<void>
  /** What `hold` would answer, without holding. */
  dryRun(request: HoldRequest): Promise<DryRun>
  /** Counts as spent what stale servers held, and gives back what they leased. Returns the number of servers. */
  recoverStale(): Promise<number>
}

export interface BookOptions {
  database: DatabaseHandle
  events: Pick<Events, 'publish' | 'subscribe' | 'onGap'>
  ledger: Pick<Ledger, 'settle' | 'settled' | 'recommit'>
  log: Pick<Log, 'error'>
  now: Clock
  beatMs: number
  staleMs: number
  /** On the transaction of a recovery, after counting. */
  onCounted(tx: Database, counted: readonly Counted[]): Promise<void>
  /** After a hard limit of which little is left refused a request, once for each period. */
  onRefused(counted: Counted): Promise<void>
}

/** What leads to another turn. */
type Need =
  | { kind: 'server' }
  | { kind: 'limits' }
  | { kind: 'soft'; limits: Limit[]; at: Date }
  | { kind: 'leases'; lots: Lot[] }
  | { kind: 'settling'; settled: Promise<void>[] }

type Turn =
  | { kind: 'taken'; hold: Hold; open: Open; version: number }
  | { kind: 'refused'; refusal: Refusal; counted: Counted | null }
  | Need

interface Open extends OpenHold {
  lots: readonly Lot[]
}

/** How far a request has come in getting budget. */
interface Attempt {
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
/** Storing the costs that release budget takes a few milliseconds, more when the database is busy. */
const settlingMs = 3_000
/** A shortage is believed for so long. */
const shortageMs = 100
const forgetMs = 60_000
const maxTurns = 60

const LotName = z.object({ limitId: z.string(), periodStart: z.number(), from: z.string() })
const recallEvent = 'gateway.recall'
const returnEvent = 'gateway.returned'
export const limitsChanged = { event: 'gateway.limits', payload: z.object({ limitId: z.string() }) }

/** Asks every server for what it doesn't use of a period. */
export const recallLeases = (
  events: Pick<Events, 'publish'>,
  tx: Database,
  { limit, periodStart }: Pick<Counted, 'limit' | 'periodStart'>,
): Promise<void> =>
  events.publish(tx, recallEvent, { limitId: limit.id, periodStart: periodStart.getTime(), from: 'ledger' })

/**
 * The budgets of this process. Leases from the database bound what it can hold, so that servers together never exceed a
 * hard limit; all checks and changes of the leases' amounts happen in one synchronous turn.
 */
export class Book implements Budgets {
  readonly #options: BookOptions
  readonly #db: Database
  readonly #limits: LimitCache
  readonly #journal: Journal
  readonly #presence: Presence
  readonly #granter: Granter
  readonly #soft: SoftSpend
  readonly #name = newId()
  #lots = new Map<string, Lot>()
  readonly #retired = new Set<Lot>()
  readonly #open = new Map<string, Open>()
  readonly #settling = new Map<Open, Promise<void>>()
  readonly #returned = new Map<string, Set<() => void>>()
  #ticking: Timer | undefined
  #tick: Promise<void> | undefined

  constructor(options: BookOptions) {
    this.#options = options
    this.#db = options.database.db
    this.#limits = new LimitCache(this.#db)
    this.#journal = createJournal(this.#db)
    this.#soft = new SoftSpend(this.#db)
    const onLost = () => void (this.#lots = new Map())
    const { beatMs, staleMs } = options
    const onError = (error: unknown) => this.#logFault(error)
    const onRestart = () => void options.ledger.recommit().catch(onError)
    this.#presence = new Presence(this.#db, { beatMs, staleMs, onLost, onError, onRestart })
    this.#granter = new Granter({
      db: this.#db,
      serverId: () => this.#presence.id,
      onLost: () => this.#presence.lose(),
      onUnknownLimit: () => this.#limits.clear(),
    })
    this.#subscribe(options.events)
  }

  async hold(request: HoldRequest): Promise<HoldResult> {
    const attempt: Attempt = { hasAsked: false, recallUntil: null, isFinal: false, hasSettled: false }
    for (let turns = 0; turns < maxTurns; turns++) {
      const turn = this.#turn(request, attempt)
      if (turn.kind === 'refused') return this.#refuse(turn)
      if (turn.kind !== 'taken') await this.#provide(turn, request, attempt)
      else if (await this.#write(turn)) return { held: true, hold: turn.hold }
    }
    throw unavailable()
  }

  async settle(hold: Hold, rows: readonly UsageRow[]): Promise<void> {
    const open = this.#open.get(hold.id)
    if (!open) return
    this.#open.delete(hold.id)
    const dated = rows.map((row) => ({ ...row, occurredAt: hold.heldAt }))
    const settled = this.#close(open, dated).finally(() => this.#settling.delete(open))
    this.#settling.set(open, settled)
    await settled
  }

  async dryRun(request: HoldRequest): Promise<DryRun> {
    await this.#options.ledger.settled()
    const { limits } = await this.#limits.load(request)
    const states = await readStates(this.#db, limits, this.#options.now())
    const hard = limits.find(({ mode }) => mode === 'hard')
    const refusal = hard && !request.priced ? unpriced(hard, request) : refusalBy(states, request)
    return { allowed: refusal === null, estimateNanoUsd: request.maxNanoUsd, limits: states, refusal }
  }

  async recoverStale(): Promise<number> {
    for (let recovered = 0; ; recovered++) {
      const found = await this.#options.database.transaction(async (tx) => {
        await keepLimits(tx)
        const id = await lockStaleServer(tx, this.#options.staleMs)
        if (id === null) return false
        await this.#options.onCounted(tx, await recoverServer(tx, id))
        return true
      })
      if (!found) return recovered
    }
  }

  get serverId(): string | null {
    return this.#presence.lastId
  }

  /** Ends its timers, and gives nothing back. */
  abandon(): void {
    this.#presence.close()
    clearInterval(this.#ticking)
  }

  /** Gives everything back. Requests that are still running count as spent. */
  async close(): Promise<void> {
    this.abandon()
    await this.#tick
    await this.#journal.flush()
    const id = this.#presence.lastId
    if (id === null) return
    await this.#options.database.transaction(async (tx) => {
      await keepLimits(tx)
      await this.#options.onCounted(tx, await recoverServer(tx, id))
    })
    this.#presence.lose()
  }

  /** The heart: no other code of this process runs within it. */
  #turn(request: HoldRequest, attempt: Attempt): Turn {
    const serverId = this.#presence.id
    if (serverId === null) return { kind: 'server' }
    const known = this.#limits.find(request)
    if (known === null) return { kind: 'limits' }
    const at = this.#options.now()
    const soft = known.limits.filter(({ mode }) => mode === 'soft')
    const warnings = this.#soft.warnings(soft, at)
    if (warnings === null) return { kind: 'soft', limits: soft, at }
    const hard = known.limits.filter(({ mode }) => mode === 'hard')
    if (hard[0] && !request.priced) return { kind: 'refused', refusal: unpriced(hard[0], request), counted: null }
    const lots = hard.map((limit) => this.#lotOf(limit, at))
    const free = freeOf(lots)
    const most = request.maxNanoUsd
    const amount = free === null || free >= most ? most : free
    if (amount < most) {
      const short = lots.filter((lot) => lot.free < most)
      if (!this.#isFinal(attempt, short)) return { kind: 'leases', lots: short }
      const settled = attempt.hasSettled ? [] : this.#settlingFrom(short)
      if (settled.length > 0) return { kind: 'settling', settled }
      if (amount < request.minNanoUsd) return refuseBy(hard, lots, request)
    }
    take(lots, amount)
    const { organizationId, requestId } = request
    const parts = lots.map(({ limitId, window }) => ({ limitId, periodStart: window.start }))
    const id = newId()
    const open = { id, serverId, organizationId, requestId, grantedNanoUsd: amount, parts, lots }
    const hold = { id, request, grantedNanoUsd: amount, enforced: lots.length > 0, heldAt: at, warnings }
    return { kind: 'taken', hold, open, version: known.version }
  }

  /** Whether the limits can't give more than this server has. */
  #isFinal(attempt: Attempt, short: readonly Lot[]): boolean {
    if (attempt.isFinal) return true
    const since = performance.now() - shortageMs
    const scarce = short.filter(({ shortage }) => shortage !== null && shortage.at > since)
    // One limit without budget is enough; what others can give doesn't help.
    const isEmpty = scarce.some(({ shortage, free }) => shortage && !shortage.othersLeased && free <= 0n)
    const isKnown = scarce.some(({ refusedAt }) => refusedAt > since)
    return isEmpty || isKnown
  }

  async #provide(need: Need, request: HoldRequest, attempt: Attempt): Promise<void> {
    try {
      if (need.kind === 'server') await this.#presence.ensure()
      else if (need.kind === 'limits') await this.#limits.load(request)
      else if (need.kind === 'soft') await this.#soft.read(need.limits, need.at)
      else if (need.kind === 'leases') await this.#lease(need.lots, request, attempt)
      else {
        attempt.hasSettled = true
        await Promise.race([Promise.allSettled(need.settled), Bun.sleep(settlingMs)])
      }
    } catch (error) {
      throw unavailable(error)
    }
  }

  async #lease(lots: readonly Lot[], request: HoldRequest, attempt: Attempt): Promise<void> {
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

  /** False when the limits have changed or this server isn't registered anymore: then nothing was taken. */
  async #write({ hold, open, version }: Extract<Turn, { kind: 'taken' }>): Promise<boolean> {
    const { id, serverId, grantedNanoUsd: amountNanoUsd, parts, lots } = open
    const { request, heldAt } = hold
    try {
      const outcome = await this.#journal.write({ id, serverId, request, amountNanoUsd, parts, heldAt, version })
      if (outcome === 'written') {
        this.#open.set(id, open)
        return true
      }
      release(lots, amountNanoUsd, 0n)
      if (outcome === 'limits_changed') this.#limits.clear()
      else if (this.#presence.lastId === serverId) this.#presence.lose()
      return false
    } catch (error) {
      // It can have been written.
      void this.#close(open, []).catch((fault: unknown) => this.#logFault(fault))
      throw unavailable(error)
    }
  }

  #settlingFrom(lots: readonly Lot[]): Promise<void>[] {
    return [...this.#settling]
      .filter(([open]) => open.lots.some((lot) => lots.includes(lot)))
      .map(([, settled]) => settled)
  }

  async #close(open: Open, rows: readonly UsageRow[]): Promise<void> {
    for (const lot of open.lots) lot.pending++
    try {
      await this.#options.ledger.settle(open, rows)
    } finally {
      for (const lot of open.lots) lot.pending--
    }
    const cost = rows.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n)
    // Only after the commit: until then a crash counts the whole hold as spent.
    release(open.lots, open.grantedNanoUsd, cost < open.grantedNanoUsd ? cost : open.grantedNanoUsd)
    const recalled = open.lots.filter(({ recalledAt }) => recalledAt > performance.now() - idleMs)
    if (recalled.length > 0) await this.#return(recalled).catch((error: unknown) => this.#logFault(error))
  }

  #refuse({ refusal, counted }: Extract<Turn, { kind: 'refused' }>): HoldResult {
    if (counted) void this.#options.onRefused(counted).catch((error: unknown) => this.#logFault(error))
    return { held: false, refusal }
  }

  #lotOf(limit: Limit, at: Date): Lot {
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

  /** What was leased under a higher limit goes back before its successor leases, the rest when its requests end. */
  #retire(lot: Lot, successor: Lot): void {
    lot.recalledAt = Infinity
    this.#retired.add(lot)
    void this.#return([lot]).catch((error: unknown) => {
      successor.uncertain = true
      this.#logFault(error)
    })
    successor.returning = lot.returning
  }

  #startTicking(): Timer {
    const timer = setInterval(() => {
      this.#tick ??= this.#maintain()
        .catch((error: unknown) => this.#logFault(error))
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
    const serverId = this.#presence.id
    for (const lot of lots)
      if (serverId !== null && lot.uncertain && lot.pending === 0 && !retiredKeys.has(lot.key))
        lot.uncertain = !(await reconcile(this.#db, serverId, lot))
    for (const lot of lots)
      if (lot.free === 0n && lot.held === 0n && lot.pending === 0 && !lot.uncertain && lot.usedAt < now - forgetMs)
        this.#lots.delete(lot.key)
  }

  async #return(lots: readonly Lot[]): Promise<void> {
    const serverId = this.#presence.id
    const given = serverId === null ? [] : lots.filter(({ free }) => free > 0n)
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
      await returnLeases(this.#db, serverId, returns)
    } catch (error) {
      for (const lot of lots) lot.uncertain = true
      throw error
    } finally {
      for (const lot of lots) lot.pending--
    }
  }

  #publish(event: string, { limitId, window }: Lot): Promise<void> {
    const payload = { limitId, periodStart: window.start.getTime(), from: this.#name }
    return this.#options.events.publish(this.#db, event, payload)
  }

  #subscribe(events: BookOptions['events']): void {
    events.subscribe(recallEvent, LotName, ({ limitId, periodStart, from }) => {
      const lot = this.#lots.get(lotKey(limitId, new Date(periodStart)))
      if (!lot || from === this.#name) return
      lot.recalledAt = performance.now()
      void this.#return([lot]).catch((error: unknown) => this.#logFault(error))
    })
    events.subscribe(returnEvent, LotName, ({ limitId, periodStart, from }) => {
      const key = lotKey(limitId, new Date(periodStart))
      const lot = this.#lots.get(key)
      if (from === this.#name) return
      if (lot) lot.refusedAt = -Infinity
      for (const resolve of this.#returned.get(key) ?? []) resolve()
      this.#returned.delete(key)
    })
    events.subscribe(limitsChanged.event, limitsChanged.payload, ({ limitId }) => {
      this.#limits.clear()
      this.#soft.clear()
      const changed = [...this.#lots.values()].filter((lot) => lot.limitId === limitId)
      for (const lot of changed) lot.shortage = null
      void this.#return(changed).catch((error: unknown) => this.#logFault(error))
    })
    events.onGap(() => this.#limits.clear())
  }

  #logFault(error: unknown): void {
    logFault(this.#options.log, 'budgets', error)
  }
}

const unavailable = (cause?: unknown) =>
  retryLater(503, 'budgets_unavailable', 'Budgets can’t be checked right now. Try again in a few seconds.', {
    cause,
    nothingDone: true,
  })

const unpriced = (limit: Limit, { provider, model }: HoldRequest): Refusal => ({
  code: 'model_unpriced',
  limit,
  provider,
  model,
})

const exceeded = (limit: LimitState, { minNanoUsd }: HoldRequest): Refusal => ({
  code: 'budget_exceeded',
  limit,
  neededNanoUsd: minNanoUsd,
})

/** By the limit that has least left. */
function refuseBy(hard: readonly Limit[], lots: readonly Lot[], request: HoldRequest): Turn {
  const lot = lots.reduce((least, one) => (one.free < least.free ? one : least))
  const limit = hard[lots.indexOf(lot)]
  if (!limit) throw new Error('A lot without its limit')
  lot.refusedAt = performance.now()
  const hasEnded = isAlmostSpent(lot) && !lot.hasEnded
  lot.hasEnded ||= hasEnded
  const { spentNanoUsd = 0n, leasedNanoUsd = 0n } = lot.shortage ?? {}
  const refusal = exceeded(stateOf(limit, lot.window, spentNanoUsd, leasedNanoUsd - lot.free), request)
  const { start: periodStart, end: periodEnd } = lot.window
  return {
    kind: 'refused',
    refusal,
    counted: hasEnded ? { limit, periodStart, periodEnd, spentNanoUsd, leasedNanoUsd, warnedPercent: 0 } : null,
  }
}

/** Otherwise it only refuses large requests. */
const isAlmostSpent = ({ shortage }: Lot): boolean =>
  shortage !== null && shortage.spentNanoUsd * 10n >= shortage.limitNanoUsd * 9n

const refusalBy = (states: readonly LimitState[], request: HoldRequest): Refusal | null => {
  const first = states.find(({ mode, remainingNanoUsd }) => mode === 'hard' && remainingNanoUsd < request.minNanoUsd)
  return first ? exceeded(first, request) : null
}
