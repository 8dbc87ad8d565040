import type { Ledger, OpenHold } from '../ledger/commit.ts'
import type { UsageRow } from '../usage/insert.ts'
import { spentAt, type Journal } from './journal.ts'
import type { LeasedLots } from './leased-lots.ts'
import { release, type Lot } from './lots.ts'
import type { Presence } from './presence.ts'
import { unavailable } from './refuse.ts'
import type { Hold, HoldRequest } from './types.ts'

/** A running request’s hold. */
export interface Open extends OpenHold {
  readonly lots: readonly Lot[]
  readonly request: HoldRequest
  readonly heldAt: Date
  /** Of the limits under which it was taken. */
  readonly version: number
  /** `performance.now()`. */
  readonly takenAt: number
  /** While its row is being written. */
  writing: Promise<unknown> | null
}

interface Options {
  journal: Journal
  ledger: Pick<Ledger, 'settle' | 'settled'>
  presence: Presence
  lots: LeasedLots
  onLimitsChanged(): void
  onFault(error: unknown): void
  isRowFirst(): boolean
  /** A call that ends sooner needs no row. */
  rowAfterMs: number
}

/** Milliseconds until a row that could not be written is tried again for a settlement. */
const retryMs = 200

/** The holds of running requests: in memory, and soon or first in the journal, which survives this process. */
export class OpenHolds {
  readonly #options: Options
  readonly #open = new Map<string, Open>()
  readonly #withoutRow = new Set<Open>()
  readonly #settling = new Map<Open, Promise<void>>()
  /** Those whose costs aren’t stored yet. */
  readonly #unstored = new Set<Open>()
  #hasLost = false
  #isAbandoned = false
  #timer: Timer | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** False when the limits have changed or this server isn't registered anymore: then nothing was taken. */
  add(open: Open): boolean | Promise<boolean> {
    // Without a hard limit there is no lease that covers it.
    if (this.#options.isRowFirst() || open.lots.length === 0) return this.#writeFirst(open)
    this.#open.set(open.id, open)
    this.#withoutRow.add(open)
    this.#timer ??= setTimeout(() => this.#writeDue(), this.#options.rowAfterMs)
    return true
  }

  /** Nothing for a hold that isn't open. */
  async settle({ id, heldAt }: Pick<Hold, 'id' | 'heldAt'>, rows: readonly UsageRow[]): Promise<void> {
    const open = this.#open.get(id)
    if (!open) return
    this.#open.delete(id)
    const dated = rows.map((row) => (row.occurredAt === heldAt ? row : { ...row, occurredAt: heldAt }))
    const settled = this.#close(open, dated).finally(() => this.#settling.delete(open))
    this.#settling.set(open, settled)
    await settled
  }

  /** What is being stored, of holds on these lots. */
  settlingFrom(lots: readonly Lot[]): Promise<void>[] {
    return [...this.#settling]
      .filter(([open]) => open.lots.some((lot) => lots.includes(lot)))
      .map(([, settled]) => settled)
  }

  /** So that each hold has a row, or its cost is stored. @throws when the database can't be reached */
  async writeAll(): Promise<void> {
    this.#write([...this.#withoutRow])
    const ending = [...this.#unstored]
    await Promise.all([...this.#open.values(), ...ending].map(async ({ writing }) => writing))
    await this.#options.ledger.settled()
    // `#close` continues after its commit; one that failed is repeated later.
    await Bun.sleep(0)
    const isUnknown = (open: Open): boolean => !open.isJournaled && this.#unstored.has(open)
    if (this.#withoutRow.size > 0 || ending.some(isUnknown)) throw unavailable()
  }

  /** Whether a cost could not be stored: then its lease must not be given back. */
  get hasLost(): boolean {
    return this.#hasLost
  }

  /** Ends its timer and retries. */
  abandon(): void {
    this.#isAbandoned = true
    clearTimeout(this.#timer)
  }

  async #writeFirst(open: Open): Promise<boolean> {
    open.isJournaled = true
    const { journal, presence, onFault, onLimitsChanged } = this.#options
    try {
      const outcome = await journal.write(entryOf(open, open.version))
      if (outcome === 'written') {
        this.#open.set(open.id, open)
        return true
      }
      release(open.lots, open.grantedNanoUsd, 0n)
      if (outcome === 'limits_changed') onLimitsChanged()
      else if (presence.lastId === open.serverId) presence.lose()
      return false
    } catch (error) {
      // It can have been written.
      void this.#close(open, []).catch(onFault)
      throw unavailable(error)
    }
  }

  #writeDue(): void {
    this.#timer = undefined
    const before = performance.now() - this.#options.rowAfterMs / 2
    const due: Open[] = []
    for (const open of this.#withoutRow) {
      if (open.takenAt > before) break
      due.push(open)
    }
    this.#write(due)
    if (this.#withoutRow.size > 0) this.#timer = setTimeout(() => this.#writeDue(), this.#options.rowAfterMs)
  }

  #write(opens: readonly Open[]): void {
    for (const open of opens) {
      this.#withoutRow.delete(open)
      open.isJournaled = true
      open.writing = this.#writeLate(open).finally(() => (open.writing = null))
    }
  }

  async #writeLate(open: Open): Promise<void> {
    const { journal, presence, onFault } = this.#options
    for (;;) {
      try {
        const outcome = await journal.write(entryOf(open, null))
        if (outcome !== 'server_unknown') return
        // It was written off with the lease.
        open.isJournaled = false
        if (presence.lastId === open.serverId) presence.lose()
        return
      } catch (error) {
        onFault(error)
      }
      if (this.#open.has(open.id)) {
        this.#withoutRow.add(open)
        this.#timer ??= setTimeout(() => this.#writeDue(), this.#options.rowAfterMs)
        return
      }
      // Its settlement waits: only a written row can have been closed by another server.
      if (this.#isAbandoned) return
      await Bun.sleep(retryMs)
    }
  }

  async #close(open: Open, rows: readonly UsageRow[]): Promise<void> {
    this.#withoutRow.delete(open)
    this.#unstored.add(open)
    for (const lot of open.lots) lot.pending++
    try {
      if (open.writing) await open.writing
      await this.#options.ledger.settle(open, rows)
    } catch (error) {
      this.#hasLost = true
      throw error
    } finally {
      this.#unstored.delete(open)
      for (const lot of open.lots) lot.pending--
    }
    // Only after the commit: until then a crash counts the whole hold as spent.
    const { grantedNanoUsd } = open
    for (const lot of open.lots) release([lot], grantedNanoUsd, spentAt(lot, rows, grantedNanoUsd))
    await this.#options.lots.returnRecalled(open.lots)
  }
}

const entryOf = ({ id, serverId, request, grantedNanoUsd, parts, heldAt }: Open, version: number | null) => ({
  id,
  serverId,
  request,
  amountNanoUsd: grantedNanoUsd,
  parts,
  heldAt,
  version,
})
