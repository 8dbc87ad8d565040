import { allocate, scaleUnits } from '#lib/money.ts'
import type { PricedLine } from '../../orders/totals.ts'
import { totalsByRate } from '../drafts/charges.ts'

type Line = Pick<PricedLine, 'position' | 'taxRate' | 'tax' | 'total'>

interface Credited {
  amount: bigint
  /** What of the invoice is returned; empty when only an amount was given. */
  parts: readonly { position: number; amount: number }[]
}

/**
 * An amount of an invoice as one line for each tax rate, given what earlier credit notes have credited. What exceeds the
 * named lines’ rates is spread over the rest in proportion. Of each rate, all credited tax is the rounded share of its
 * credited amount, so that the last credit note takes exactly the rest.
 */
export function creditLines(
  invoiced: readonly Line[],
  earlier: readonly Pick<Line, 'taxRate' | 'tax' | 'total'>[],
  { amount, parts }: Credited,
): Pick<PricedLine, 'taxRate' | 'tax' | 'total'>[] {
  const before = new Map(totalsByRate(earlier).map((rate) => [rate.taxRate, rate]))
  const rates = totalsByRate(invoiced).map((rate) => ({
    ...rate,
    credited: before.get(rate.taxRate)?.total ?? 0n,
    creditedTax: before.get(rate.taxRate)?.tax ?? 0n,
  }))
  const left = rates.map(({ total, credited }) => total - credited)
  const named = rates.map(({ taxRate }) => namedAmount(invoiced, parts, taxRate))
  const split = splitCredit(left, named, amount)
  return rates.flatMap(({ taxRate, total, tax, credited, creditedTax }, at) => {
    const own = split[at] ?? 0n
    return own === 0n ? [] : [{ taxRate, total: own, tax: scaleUnits(tax, credited + own, total) - creditedTax }]
  })
}

/** What of an amount is each rate’s, of which `left` can be credited. */
export function splitCredit(left: readonly bigint[], named: readonly bigint[], amount: bigint): bigint[] {
  const capped = left.map((each, at) => smaller(named[at] ?? 0n, each))
  const fitting = sum(capped) <= amount ? capped : capped.map(() => 0n)
  const rest = amount - sum(fitting)
  const room = left.map((each, at) => each - (fitting[at] ?? 0n))
  const spread = rest === 0n ? room.map(() => 0n) : allocate(rest, room)
  return fitting.map((each, at) => each + (spread[at] ?? 0n))
}

const namedAmount = (lines: readonly Line[], parts: Credited['parts'], taxRate: number): bigint =>
  parts.reduce((total, { position, amount }) => {
    const line = lines.find((each) => each.position === position)
    return line?.taxRate === taxRate ? total + BigInt(amount) : total
  }, 0n)

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, each) => total + each, 0n)
