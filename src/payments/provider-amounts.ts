import { invalid } from '#lib/errors.ts'
import { Currency, displayMoney } from '#lib/money.ts'
import { unitOf, wholeFromProviderUnits } from './provider-units.ts'

/** What isn’t a payout: payments, captures, refunds. */
type Use = 'payment' | 'payout'

/** Amounts end in 0 here: card networks have two decimal places (docs.stripe.com/currencies#three-decimal). */
const tens = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])
/** Paid out without decimals (docs.stripe.com/currencies#special-cases). */
const wholePayouts = new Set(['HUF', 'TWD'])
/** Of ISO 4217, but not of the provider. */
const missing = new Set(
  `BOV CHE CHW CLF COU CUP ERN IQD IRR KPW LYD MRU MXV SDG SSP STN SVC SYP TMT USN UYI UYW VED VES XAD ZWG`.split(' '),
)
/** Twelve digits of the provider’s unit, and eight for all others. */
const largest: Readonly<Record<string, number>> = { IDR: 999_999_999_999 }

export const isProvided = (currency: string): boolean => !missing.has(currency)

/** Amounts are multiples of it, in the currency’s smallest unit. */
export function stepOf(currency: string, use: Use = 'payment'): bigint {
  if (use === 'payout' && wholePayouts.has(currency)) return 100n
  return tens.has(currency) ? 10n : unitOf(currency)
}

/** In the currency’s smallest unit. */
export function largestAmount(currency: string): bigint {
  const amount = wholeFromProviderUnits(largest[currency] ?? 99_999_999, currency)
  return amount - (amount % stepOf(currency))
}

/** What the provider would refuse about an amount. */
export function amountProblem(amount: bigint, currency: string, use: Use = 'payment'): string | null {
  const most = largestAmount(currency)
  if (amount > most) return `Must be at most ${amountText(most, currency)}.`
  const step = stepOf(currency, use)
  if (amount % step === 0n) return null
  return `Must be a multiple of ${amountText(step, currency)}, such as ${nearestOf(amount, currency, step)}.`
}

/** @throws {Problem} 422 at `path` for an amount that the provider would refuse */
export function requireAmount(amount: bigint, currency: string, path: string): void {
  const message = amountProblem(amount, currency)
  if (message !== null) throw invalid([{ path, message }])
}

/** @throws {Problem} 422 for a total between two that can be paid. Currencies that the provider hasn’t have no such limit */
export function requirePayableTotal(total: bigint, currency: string, path = 'lines'): void {
  const step = stepOf(currency)
  if (total % step === 0n) return
  const message = `The total of ${amountText(total, currency)} can’t be paid: the payment provider needs a multiple of ${amountText(step, currency)}. Change a price, a discount or the tax so that it is ${nearestOf(total, currency, step)}.`
  throw invalid([{ path, message }])
}

/** @throws {Problem} 422 for an order that the provider can’t be paid by */
export function requirePayable({ total, currency }: { total: bigint; currency: string }): void {
  if (!isProvided(currency))
    throw invalid([
      { path: 'orderId', message: `The payment provider takes no payments in ${currency}. Use another currency.` },
    ])
  requirePayableTotal(total, currency, 'orderId')
  requireAmount(total, currency, 'orderId')
}

function nearestOf(amount: bigint, currency: string, step: bigint): string {
  const below = amount - (amount % step)
  const nearest = [below, below + step].filter((each) => each > 0n && each <= largestAmount(currency))
  return nearest.map((each) => amountText(each, currency)).join(' or ')
}

export const amountText = (amount: bigint, currency: string): string =>
  displayMoney({ minor: amount, currency: Currency.parse(currency) })
