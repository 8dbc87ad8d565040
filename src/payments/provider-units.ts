import { invalid } from '#lib/errors.ts'
import { exponentOf, scaleUnits } from '#lib/money.ts'

/** Decimal places of Stripe’s units where they differ from ISO 4217’s (docs.stripe.com/currencies#special-cases). */
const ownExponents: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 }

const shiftOf = (currency: string): number => (ownExponents[currency] ?? exponentOf(currency)) - exponentOf(currency)

/** The provider’s smallest amount, in the currency’s smallest unit. */
export const unitOf = (currency: string): bigint => (shiftOf(currency) < 0 ? 10n ** BigInt(-shiftOf(currency)) : 1n)

/**
 * An amount of the currency’s smallest unit in the provider’s unit. @throws {Problem} 422 when that would be rounded,
 * and for an amount beyond exact numbers
 */
export function toProviderUnits(amount: bigint, currency: string): number {
  const shift = shiftOf(currency)
  const divisor = unitOf(currency)
  const units = Number(shift > 0 ? amount * 10n ** BigInt(shift) : amount / divisor)
  if (amount % divisor === 0n && Number.isSafeInteger(units)) return units
  throw invalid([
    { path: 'amount', message: `The payment provider has no smaller amounts of ${currency} than ${divisor}.` },
  ])
}

/** The same backwards. Only fees can be parts of a unit, in currencies without decimals: they are rounded. */
export function fromProviderUnits(units: number, currency: string): bigint {
  const shift = shiftOf(currency)
  return shift < 0 ? BigInt(units) * 10n ** BigInt(-shift) : scaleUnits(BigInt(units), 1n, 10n ** BigInt(shift))
}

/** Without a part of a unit. */
export function wholeFromProviderUnits(units: number, currency: string): bigint {
  const shift = shiftOf(currency)
  return shift < 0 ? fromProviderUnits(units, currency) : BigInt(units) / 10n ** BigInt(shift)
}
