import { invalid, type FieldError } from '#lib/errors.ts'
import { allocate, scaleUnits } from '#lib/money.ts'
import { parseDecimalAmount } from '../amount.ts'
import type { OrderDraft } from '../contract/orders.ts'
import { amountText, largestAmount } from '../provider-amounts.ts'

/** Millionths in a whole: 70000 are 7 %. */
const whole = 1_000_000n

export interface PricedLine {
  position: number
  name: string
  quantity: number
  unitAmount: bigint
  discount: bigint
  /** Millionths. */
  taxRate: number
  tax: bigint
  total: bigint
}

export interface PricedOrder {
  lines: PricedLine[]
  subtotal: bigint
  discount: bigint
  tax: bigint
  total: bigint
}

type Priced = Pick<OrderDraft, 'lines' | 'taxMode' | 'taxRounding' | 'discount' | 'currency'>

interface Line {
  gross: bigint
  ownDiscount: bigint
  rate: bigint
}

/** Percent with up to 4 decimal places in millionths: `8.875` is 88750. */
const rateOf = (percent: string): bigint => {
  const [units = '', decimals = ''] = percent.split('.')
  return BigInt(units + decimals.padEnd(4, '0'))
}

export const percentOf = (millionths: number): string => String(millionths / 10_000)

/** Tax of each rate. */
export function taxesOf(lines: readonly Pick<PricedLine, 'taxRate' | 'tax'>[]): { rate: string; amount: bigint }[] {
  const amounts = new Map<number, bigint>()
  for (const { taxRate, tax } of lines) if (taxRate > 0) amounts.set(taxRate, (amounts.get(taxRate) ?? 0n) + tax)
  return [...amounts].map(([rate, amount]) => ({ rate: percentOf(rate), amount }))
}

/** @throws {Problem} 422 for discounts above what they are taken from, and a total out of bounds */
export function priceOrder(draft: Priced): PricedOrder {
  const { currency, taxMode, taxRounding, discount: orderDiscount = 0n } = draft
  const drafts = priceLines(draft)
  const lines = drafts.map(({ quantity, unitAmount, discount = 0n, taxRate = '0' }): Line => ({
    gross: BigInt(quantity) * unitAmount,
    ownDiscount: discount,
    rate: rateOf(taxRate),
  }))
  const subtotal = sum(lines.map(({ gross }) => gross))
  if (subtotal > BigInt(Number.MAX_SAFE_INTEGER))
    refuse([
      {
        path: 'lines',
        message: `The subtotal must be at most ${amountText(BigInt(Number.MAX_SAFE_INTEGER), currency)}.`,
      },
    ])
  refuse(lines.flatMap(({ gross, ownDiscount }, at) => tooMuchOff(`lines.${at}.discount`, ownDiscount, gross)))
  const nets = lines.map(({ gross, ownDiscount }) => gross - ownDiscount)
  refuse(tooMuchOff('discount', orderDiscount, sum(nets)))
  const shares = orderDiscount === 0n ? nets.map(() => 0n) : allocate(orderDiscount, nets)
  const bases = nets.map((net, at) => net - (shares[at] ?? 0n))
  const rates = lines.map(({ rate }) => rate)
  const taxes = taxRounding === 'line' ? taxPerLine(bases, rates, taxMode) : taxPerRate(bases, rates, taxMode)
  const priced = drafts.map(({ name, quantity, unitAmount }, at): PricedLine => {
    const [base = 0n, tax = 0n] = [bases[at], taxes[at]]
    return {
      position: at + 1,
      name,
      quantity,
      unitAmount,
      discount: (lines[at]?.ownDiscount ?? 0n) + (shares[at] ?? 0n),
      taxRate: Number(rates[at] ?? 0n),
      tax,
      total: taxMode === 'exclusive' ? base + tax : base,
    }
  })
  const total = sum(priced.map((line) => line.total))
  if (total <= 0n) refuse([{ path: 'lines', message: 'The total must be more than 0.' }])
  const most = largestAmount(currency)
  if (total > most) refuse([{ path: 'lines', message: `The total must be at most ${amountText(most, currency)}.` }])
  return {
    lines: priced,
    subtotal,
    discount: sum(priced.map(({ discount }) => discount)),
    tax: sum(taxes),
    total,
  }
}

const priceLines = ({ lines, currency }: Priced) =>
  lines.map((line, at) => ({ ...line, unitAmount: unitAmountOf(line, currency, `lines.${at}.price`) }))

function unitAmountOf({ unitAmount, price }: Priced['lines'][number], currency: string, path: string): bigint {
  if (unitAmount !== undefined) return unitAmount
  if (price === undefined) throw invalid([{ path, message: 'Enter a price, or send unitAmount.' }])
  return parseDecimalAmount(price, currency, { path })
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, each) => total + each, 0n)

const taxOf = (base: bigint, rate: bigint, mode: Priced['taxMode']): bigint =>
  scaleUnits(base, rate, mode === 'exclusive' ? whole : whole + rate)

const taxPerLine = (bases: readonly bigint[], rates: readonly bigint[], mode: Priced['taxMode']): bigint[] =>
  bases.map((base, at) => taxOf(base, rates[at] ?? 0n, mode))

/** Rounded once for each rate, and spread over its lines. */
function taxPerRate(bases: readonly bigint[], rates: readonly bigint[], mode: Priced['taxMode']): bigint[] {
  const taxes = bases.map(() => 0n)
  for (const rate of new Set(rates)) {
    const places = rates.flatMap((own, at) => (own === rate && (bases[at] ?? 0n) > 0n ? [at] : []))
    if (places.length === 0) continue
    const own = places.map((at) => bases[at] ?? 0n)
    const shares = allocate(taxOf(sum(own), rate, mode), own)
    places.forEach((at, nth) => (taxes[at] = shares[nth] ?? 0n))
  }
  return taxes
}

const tooMuchOff = (path: string, discount: bigint, of: bigint): FieldError[] =>
  discount > of ? [{ path, message: `Must be at most ${of}, what it is taken from.` }] : []

function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw invalid(errors)
}
