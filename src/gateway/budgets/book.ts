import { z } from 'zod'
import type { Database, DatabaseHandle } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'
import { newId } from '#lib/ids.ts'
import type { Log } from '#lib/log.ts'
import { logFault } from '#lib/log/fault.ts'
import { requireNoTransaction } from '#lib/outside-calls.ts'
import type { Clock } from '#lib/time.ts'
import type { Ledger } from '../ledger/commit.ts'
import type { UsageRow } from '../usage/insert.ts'
import type { Counted } from './counters.ts'
import { createJournal, type Journal } from './journal.ts'
import { JournalOrder, lockLimits, requestJournals } from './journal-order.ts'
import { LeasedLots, type Attempt } from './leased-lots.ts'
import { LimitCache } from './limit-cache.ts'
import type { Limit } from './limit.ts'
import { freeOf, take, type Lot } from './lots.ts'
import { OpenHolds, type Open } from './open-holds.ts'
import { Presence } from './presence.ts'
import { keepLimits, lockStaleServer, recoverServer } from './recover.ts'
import { refusalBy, refuseBy, unavailable, unpriced, type Refused } from './refuse.ts'
import { SoftSpend } from './soft-spend.ts'
import { readStates } from './states.ts'
import type { DryRun, Hold, HoldRequest, HoldResult } from './types.ts'

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
  /** Counts as spent what stale servers held or could have held. Returns the number of servers. */
  recoverStale(): Promise<number>
  /**
   * Before the transaction that changes a limit: waits until every server writes the row of each hold first.
   * @throws {Problem} 503 `budgets_unavailable`
   */
  prepareChange(): Promise<void>
  /** In that transaction: until `tx` ends, nothing is held or counted. @throws {Problem} 503 `budgets_unavailable` */
  lockLimits(tx: Database): Promise<void>
}

export interface BookOptions {
  database: DatabaseHandle
  events: Pick<Events, 'publish' | 'subscribe' | 'onGap'>
  ledger: Pick<Ledger, 'settle' | 'settled' | 'recommit'>
  log: Pick<Log, 'error'>
  now: Clock
  beatMs: number
  staleMs: number
  /** Milliseconds until a running call gets its row in the journal; 100 when not set. */
  rowAfterMs?: number
  /** On the transaction of a recovery, after counting. */
  onCounted(tx: Database, counted: readonly Counted[]): Promise<void>
  /** After a hard limit of which little is left refused a request, once for each period. */
  onRefused(counted: Counted): Promise<void>
}

/** What leads to another turn. */
type Need =
  | { kind: 'server' }
  | { kind: 'limits' }
  | { kind: 'soft'; limits: readonly Limit[]; at: Date }
  | { kind: 'leases'; lots: Lot[] }
  | { kind: 'settling'; settled: Promise<void>[] }

type Turn = { kind: 'taken'; hold: Hold; open: Open } | Refused | Need

/** Storing the costs that release budget takes a few milliseconds, more when the database is busy. */
const settlingMs = 3_000
/** A shortage is believed for so long. */
const shortageMs = 100
const maxTurns = 60

const journalFirst = 'gateway.journal-first'
export const limitsChanged = { event: 'gateway.limits', payload: z.object({ limitId: z.string() }) }

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
  readonly #lots: LeasedLots
  readonly #holds: OpenHolds
  readonly #order: JournalOrder
  readonly #soft: SoftSpend

  constructor(options: BookOptions) {
    this.#options = options
    const db = options.database.db
    this.#db = db
    this.#limits = new LimitCache(db)
    this.#journal = createJournal(db)
    this.#soft = new SoftSpend(db)
    const { beatMs, staleMs, rowAfterMs = 100, events, ledger, log } = options
    const onFault = (error: unknown) => logFault(log, 'budgets', error)
    this.#presence = new Presence(db, {
      beatMs,
      staleMs,
      onError: onFault,
      onLost: () => {
        this.#lots.forget()
        this.#order.reset()
      },
      onRestart: () => ledger.recommit(),
      onJournalFirst: () => this.#order.enter(),
    })
    const presence = this.#presence
    const onUnknownLimit = () => this.#limits.clear()
    this.#lots = new LeasedLots({ db, events, presence, onFault, onUnknownLimit, onTick: () => this.#order.leave() })
    const lots = this.#lots
    this.#holds = new OpenHolds({
      journal: this.#journal,
      ledger,
      presence,
      lots,
      onFault,
      onLimitsChanged: onUnknownLimit,
      rowAfterMs,
      isRowFirst: () => this.#order.isFirst,
    })
    this.#order = new JournalOrder({
      db,
      presence,
      onFault,
      writeAll: () => this.#holds.writeAll(),
      onVersion: (version) => this.#limits.expect(version),
    })
    this.#subscribe(events)
  }

  async hold(request: HoldRequest): Promise<HoldResult> {
    const attempt: Attempt = { hasAsked: false, recallUntil: null, isFinal: false, hasSettled: false }
    for (let turns = 0; turns < maxTurns; turns++) {
      const turn = this.#turn(request, attempt)
      if (turn.kind === 'refused') return this.#refuse(turn)
      if (turn.kind === 'taken') {
        const added = this.#holds.add(turn.open)
        if (added === true || (await added)) return { held: true, hold: turn.hold }
      } else await this.#provide(turn, request, attempt)
    }
    throw unavailable()
  }

  settle(hold: Hold, rows: readonly UsageRow[]): Promise<void> {
    return this.#holds.settle(hold, rows)
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
        await this.#options.onCounted(tx, await recoverServer(tx, id, { crashed: true }))
        return true
      })
      if (!found) return recovered
    }
  }

  async prepareChange(): Promise<void> {
    requireNoTransaction('Another server')
    const { staleMs, events } = this.#options
    await requestJournals(this.#db, staleMs, () => events.publish(this.#db, journalFirst, {}))
  }

  lockLimits(tx: Database): Promise<void> {
    return lockLimits(tx, this.#options.staleMs)
  }

  get serverId(): string | null {
    return this.#presence.lastId
  }

  /** Whether providers are called before the hold’s row is written. */
  get isJournaledLate(): boolean {
    return !this.#order.isFirst
  }

  /** Ends its timers, and gives nothing back. */
  abandon(): void {
    this.#presence.close()
    this.#lots.abandon()
    this.#holds.abandon()
  }

  /** Gives back what surely isn’t spent. Requests that are still running count as spent. */
  async close(): Promise<void> {
    this.abandon()
    this.#order.reset()
    await this.#lots.idle()
    const isComplete = await this.#holds.writeAll().then(
      () => !this.#holds.hasLost,
      () => false,
    )
    await this.#journal.flush()
    const id = this.#presence.lastId
    if (id === null) return
    await this.#options.database.transaction(async (tx) => {
      await keepLimits(tx)
      await this.#options.onCounted(tx, await recoverServer(tx, id, { crashed: !isComplete }))
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
    const warnings = this.#soft.warnings(known.soft, at)
    if (warnings === null) return { kind: 'soft', limits: known.soft, at }
    const { hard, version } = known
    if (hard[0] && !request.priced) return { kind: 'refused', refusal: unpriced(hard[0], request), counted: null }
    const lots = hard.map((limit) => this.#lots.of(limit, at))
    const free = freeOf(lots)
    const most = request.maxNanoUsd
    const amount = free === null || free >= most ? most : free
    if (amount < most) {
      const short = lots.filter((lot) => lot.free < most)
      if (!isFinal(attempt, short)) return { kind: 'leases', lots: short }
      const settled = attempt.hasSettled ? [] : this.#holds.settlingFrom(short)
      if (settled.length > 0) return { kind: 'settling', settled }
      if (amount < request.minNanoUsd) return refuseBy(hard, lots, request)
    }
    take(lots, amount)
    const open = openOf({ serverId, request, lots, amount, at, version })
    const hold = {
      id: open.id,
      request,
      grantedNanoUsd: amount,
      enforced: lots.length > 0,
      heldAt: at,
      warnings,
    }
    return { kind: 'taken', hold, open }
  }

  async #provide(need: Need, request: HoldRequest, attempt: Attempt): Promise<void> {
    try {
      if (need.kind === 'server') await this.#presence.ensure()
      else if (need.kind === 'limits') await this.#limits.load(request)
      else if (need.kind === 'soft') await this.#soft.read(need.limits, need.at)
      else if (need.kind === 'leases') await this.#lots.lease(need.lots, request, attempt)
      else {
        attempt.hasSettled = true
        // Which begins at once, rather than with more of them.
        void this.#options.ledger.settled()
        await Promise.race([Promise.allSettled(need.settled), Bun.sleep(settlingMs)])
      }
    } catch (error) {
      throw unavailable(error)
    }
  }

  #refuse({ refusal, counted }: Refused): HoldResult {
    if (counted) void this.#options.onRefused(counted).catch((error: unknown) => this.#logFault(error))
    return { held: false, refusal }
  }

  #subscribe(events: BookOptions['events']): void {
    events.subscribe(journalFirst, z.object({}), () => this.#order.enter())
    events.subscribe(limitsChanged.event, limitsChanged.payload, ({ limitId }) => {
      this.#limits.clear()
      this.#soft.clear()
      this.#lots.returnAll(limitId)
    })
    events.onGap(() => this.#limits.clear())
  }

  #logFault(error: unknown): void {
    logFault(this.#options.log, 'budgets', error)
  }
}

/** Whether the limits can't give more than this server has. */
function isFinal(attempt: Attempt, short: readonly Lot[]): boolean {
  if (attempt.isFinal) return true
  const since = performance.now() - shortageMs
  const scarce = short.filter(({ shortage }) => shortage !== null && shortage.at > since)
  // One limit without budget is enough; what others can give doesn't help.
  const isEmpty = scarce.some(({ shortage, free }) => shortage && !shortage.othersLeased && free <= 0n)
  const isKnown = scarce.some(({ refusedAt }) => refusedAt > since)
  return isEmpty || isKnown
}

interface Taken {
  serverId: string
  request: HoldRequest
  lots: readonly Lot[]
  amount: bigint
  at: Date
  version: number
}

const openOf = ({ serverId, request, lots, amount, at, version }: Taken): Open => ({
  id: newId(),
  serverId,
  organizationId: request.organizationId,
  requestId: request.requestId,
  grantedNanoUsd: amount,
  parts: lots.map(({ part }) => part),
  isJournaled: false,
  lots,
  request,
  heldAt: at,
  version,
  takenAt: performance.now(),
  writing: null,
})
