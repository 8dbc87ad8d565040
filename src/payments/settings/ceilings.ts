import { parseDecimalAmount } from '../amount.ts'
import { maxCeiling, type PaymentSettingsEdit } from '../contract/settings.ts'
import type { Ceilings, RaisedCeiling } from '../schema/merchants.ts'

/** What one person requests within it is compared with their ceiling together, so that many small requests don’t avoid it. */
export const ceilingWindowMs = 24 * 60 * 60 * 1000

interface StoredCeilings {
  refundCeilings: Ceilings
  batchCeilings: Ceilings
  raised: readonly RaisedCeiling[]
}

interface Request {
  of: RaisedCeiling['of']
  currency: string
  /** Who is behind the request; null for a service. */
  person: string | null
}

/** The amount above which a second person is needed; null without a ceiling. What a person raised doesn’t count for them. */
export function ceilingFor(stored: StoredCeilings, { of, currency, person }: Request): bigint | null {
  const own = stored.raised.filter((each) => each.of === of && each.currency === currency && each.by === person)
  const current = ceilingsOf(stored, of)[currency]
  const ceilings = [...own.map(({ before }) => before), ...(current === undefined ? [] : [current])]
  return ceilings.length === 0 ? null : BigInt(Math.min(...ceilings))
}

const ceilingsOf = ({ refundCeilings, batchCeilings }: Omit<StoredCeilings, 'raised'>, of: RaisedCeiling['of']) =>
  of === 'refunds' ? refundCeilings : batchCeilings

type BothCeilings = Pick<StoredCeilings, 'refundCeilings' | 'batchCeilings'>

/** @throws {Problem} 422 for an amount that isn’t one of its currency */
export function editCeilings(
  before: BothCeilings,
  { refundCeilings, batchCeilings, ceiling }: PaymentSettingsEdit,
): BothCeilings {
  const after = {
    refundCeilings: refundCeilings ?? before.refundCeilings,
    batchCeilings: batchCeilings ?? before.batchCeilings,
  }
  if (!ceiling) return after
  const name = ceiling.of === 'refunds' ? 'refundCeilings' : 'batchCeilings'
  const { [ceiling.currency]: _, ...others } = after[name]
  if (ceiling.decimalAmount === undefined) return { ...after, [name]: others }
  const path = 'ceiling.decimalAmount'
  const amount = parseDecimalAmount(ceiling.decimalAmount, ceiling.currency, { path, most: BigInt(maxCeiling) })
  return { ...after, [name]: { ...others, [ceiling.currency]: Number(amount) } }
}

const kinds = ['refunds', 'batches'] as const

/** After a change by this person: for each ceiling and person, the lowest one that it had. */
export function raisedAfter(
  before: StoredCeilings,
  after: Omit<StoredCeilings, 'raised'>,
  by: string,
): RaisedCeiling[] {
  const added = kinds.flatMap((of) =>
    Object.entries(ceilingsOf(before, of)).map(([currency, ceiling]) => ({ of, currency, before: ceiling, by })),
  )
  const lowest = new Map<string, RaisedCeiling>()
  for (const each of [...before.raised, ...added]) {
    const current = ceilingsOf(after, each.of)[each.currency] ?? Infinity
    const key = `${each.of} ${each.currency} ${each.by}`
    const known = lowest.get(key)
    if (each.before < current && each.before < (known?.before ?? Infinity)) lowest.set(key, each)
  }
  return [...lowest.values()]
}
