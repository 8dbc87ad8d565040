import type { Database } from '#lib/db.ts'
import { grantLeases, type Grant } from './leases.ts'
import { lotKey, type Lot } from './lots.ts'

interface GranterOptions {
  db: Database
  serverId(): string | null
  /** The server isn't registered anymore. */
  onLost(): void
  /** A limit was deleted or isn't hard anymore. */
  onUnknownLimit(): void
}

interface Wanted {
  lot: Lot
  /** Sum of the bounds of the waiting requests. */
  needNanoUsd: bigint
  estimateNanoUsd: bigint
}

/** One transaction at a time, for all requests that wait. */
export class Granter {
  readonly #options: GranterOptions
  #wanted = new Map<Lot, Wanted>()
  #next: Promise<void> | undefined
  #running: Promise<void> | undefined

  constructor(options: GranterOptions) {
    this.#options = options
  }

  /** Resolves after the transaction in which it took part. @throws when the database can't be reached */
  ask(lots: readonly Lot[], estimateNanoUsd: bigint): Promise<void> {
    for (const lot of lots) {
      const known = this.#wanted.get(lot)
      if (known) known.needNanoUsd += estimateNanoUsd
      else this.#wanted.set(lot, { lot, needNanoUsd: estimateNanoUsd, estimateNanoUsd })
    }
    this.#next ??= this.#queue()
    return this.#next
  }

  async #queue(): Promise<void> {
    await this.#running?.catch(() => {})
    const wanted = [...this.#wanted.values()]
    this.#wanted = new Map()
    this.#next = undefined
    const running = this.#grant(wanted)
    this.#running = running
    await running
  }

  async #grant(wanted: readonly Wanted[]): Promise<void> {
    const serverId = this.#options.serverId()
    if (serverId === null) return
    const asks = wanted
      .map(({ lot, ...ask }) => ({ lot, ...ask, needNanoUsd: ask.needNanoUsd - lot.free }))
      .filter(({ needNanoUsd }) => needNanoUsd > 0n)
    if (asks.length === 0) return
    for (const { lot } of asks) lot.pending++
    try {
      const grants = await grantLeases(
        this.#options.db,
        serverId,
        asks.map(({ lot, ...ask }) => ({
          ...ask,
          limitId: lot.limitId,
          periodStart: lot.window.start,
          periodEnd: lot.window.end,
        })),
      )
      if (grants === null) this.#options.onLost()
      else this.#add(asks, grants)
    } catch (error) {
      for (const { lot } of asks) lot.uncertain = true
      throw error
    } finally {
      for (const { lot } of asks) lot.pending--
    }
  }

  #add(asks: readonly Wanted[], grants: readonly Grant[]): void {
    const byKey = new Map(grants.map((grant) => [lotKey(grant.limitId, grant.periodStart), grant]))
    for (const { lot, needNanoUsd } of asks) {
      const grant = byKey.get(lot.key)
      if (!grant) {
        this.#options.onUnknownLimit()
        continue
      }
      lot.free += grant.grantedNanoUsd
      const { spentNanoUsd, leasedNanoUsd, limitNanoUsd, ownNanoUsd } = grant
      const othersLeased = leasedNanoUsd > ownNanoUsd
      lot.shortage =
        grant.grantedNanoUsd < needNanoUsd
          ? { spentNanoUsd, leasedNanoUsd, limitNanoUsd, othersLeased, at: performance.now() }
          : null
    }
  }
}
