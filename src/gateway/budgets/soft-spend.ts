import type { Database } from '#lib/db.ts'
import type { Limit } from './limit.ts'
import { lotKey } from './lots.ts'
import { periodAt } from './period.ts'
import { readStates } from './states.ts'
import type { BudgetWarning } from './types.ts'

interface Known {
  spentNanoUsd: bigint
  /** `performance.now()`. */
  readAt: number
}

const validMs = 1_000
const maxKnown = 10_000

/** What soft limits have spent, up to a second old: they warn and refuse nothing. */
export class SoftSpend {
  readonly #db: Database
  readonly #known = new Map<string, Known>()

  constructor(db: Database) {
    this.#db = db
  }

  /** Null when it must be read first. */
  warnings(limits: readonly Limit[], at: Date): BudgetWarning[] | null {
    const warnings: BudgetWarning[] = []
    for (const limit of limits) {
      const known = this.#known.get(keyAt(limit, at))
      if (!known || known.readAt < performance.now() - validMs) return null
      const { id: limitId, scopeType, scopeValue, limitNanoUsd } = limit
      const { spentNanoUsd } = known
      if (spentNanoUsd >= limitNanoUsd) warnings.push({ limitId, scopeType, scopeValue, spentNanoUsd, limitNanoUsd })
    }
    return warnings
  }

  async read(limits: readonly Limit[], at: Date): Promise<void> {
    const states = await readStates(this.#db, limits, at)
    if (this.#known.size > maxKnown) this.#known.clear()
    const readAt = performance.now()
    limits.forEach((limit, index) => {
      const spentNanoUsd = states[index]?.spentNanoUsd ?? 0n
      this.#known.set(keyAt(limit, at), { spentNanoUsd, readAt })
    })
  }

  clear(): void {
    this.#known.clear()
  }
}

const keyAt = ({ id, period, timeZone }: Limit, at: Date): string => lotKey(id, periodAt(period, timeZone, at).start)
