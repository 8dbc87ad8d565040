import { allocate, scaleUnits } from '#lib/money.ts'
import { totalsByRate } from '../invoices/drafts/charges.ts'
import { splitCredit } from '../invoices/credit-notes/credit-lines.ts'

interface Line {
  position: number
  taxRate: number
  tax: bigint
  total: bigint
}

/** A transaction of an order: what it added to (or took from) what the merchant is owed. */
export interface Move {
  amount: bigint
  refundId: string | null
  /** What of the order was refunded; empty when only an amount was given. */
  refunded: readonly { position: number; amount: number }[]
}

interface Part {
  /** Millionths. */
  rate: number
  net: bigint
  tax: bigint
}

interface Rate {
  taxRate: number
  total: bigint
  tax: bigint
  captured: bigint
  capturedTax: bigint
  returned: bigint
  returnedTax: bigint
}

/**
 * The parts by tax rate of each transaction of an order, of which something was returned, in their order. Refunds are
 * divided as their credit notes are, so an invoiced order’s taxes are those of its invoice without its credit notes; one
 * that fails takes back its own parts.
 */
export function partsOfReturned(lines: readonly Line[], moves: readonly Move[]): Part[][] {
  const rates = totalsByRate(lines)
    .filter(({ total }) => total > 0n)
    .map(({ taxRate, total, tax }): Rate => {
      const nothing = { captured: 0n, capturedTax: 0n, returned: 0n, returnedTax: 0n }
      return { taxRate, total, tax, ...nothing }
    })
  if (rates.length === 0) return moves.map(() => [])
  const ofRefunds = new Map<string, bigint[]>()
  let captured = 0n
  return moves.map((move) => {
    const { amount, refundId } = move
    const isBack = amount > 0n && (refundId !== null || rates.some(({ returned }) => returned > 0n))
    if (amount > 0n && !isBack) {
      captured += amount
      return capture(rates, captured)
    }
    const own = isBack ? takenBack(rates, amount, ofRefunds.get(refundId ?? '')) : returnedBy(rates, lines, move)
    if (!isBack && refundId !== null) ofRefunds.set(refundId, own)
    return rates.map((rate, at) => giveBack(rate, isBack ? -(own[at] ?? 0n) : (own[at] ?? 0n)))
  })
}

/** By the shares of the rates, rounded once for all that was captured; the same as of orders of which nothing was returned. */
function capture(rates: Rate[], captured: bigint): Part[] {
  const total = sum(rates.map((rate) => rate.total))
  const upTo = (part: bigint) => (captured * part) / total
  let before = 0n
  const parts = rates.toReversed().map((rate) => {
    const net = upTo(before + rate.total - rate.tax) - upTo(before)
    before += rate.total
    const gross = upTo(before) - upTo(before - rate.total)
    const part = {
      rate: rate.taxRate,
      net: net - rate.captured + rate.capturedTax,
      tax: gross - net - rate.capturedTax,
    }
    rate.captured = gross
    rate.capturedTax = gross - net
    return part
  })
  return parts
}

function returnedBy(rates: readonly Rate[], lines: readonly Line[], { amount, refunded }: Move): bigint[] {
  const left = rates.map((rate) => larger(rate.captured - rate.returned, 0n))
  const rateOf = new Map(lines.map(({ position, taxRate }) => [position, taxRate]))
  const named = rates.map(({ taxRate }) =>
    sum(refunded.filter(({ position }) => rateOf.get(position) === taxRate).map((each) => BigInt(each.amount))),
  )
  // More than was captured: as what is refunded before its capture is booked.
  return sum(left) < -amount
    ? allocate(
        -amount,
        rates.map(({ total }) => total),
      )
    : splitCredit(left, named, -amount)
}

function takenBack(rates: readonly Rate[], amount: bigint, own: readonly bigint[] | undefined): bigint[] {
  if (own && sum(own) === amount) return [...own]
  const returned = rates.map((rate) => larger(rate.returned, 0n))
  return allocate(amount, sum(returned) > 0n ? returned : rates.map(({ total }) => total))
}

/** All returned tax is the rounded share of the returned amount, until that is all of what was captured. */
function giveBack(rate: Rate, amount: bigint): Part {
  rate.returned += amount
  const tax = rate.returned === rate.captured ? rate.capturedTax : scaleUnits(rate.tax, rate.returned, rate.total)
  const own = tax - rate.returnedTax
  rate.returnedTax = tax
  return { rate: rate.taxRate, net: own - amount, tax: -own }
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, each) => total + each, 0n)
