import { z } from 'zod'

/** Decimal places of the currencies in circulation by ISO 4217 (January 2026), without funds, metals and test codes. */
const codesByExponent: readonly [exponent: number, codes: string][] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP
    COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR
    JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN
    NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
    THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

const exponents = new Map(
  codesByExponent.flatMap(([exponent, codes]) => codes.split(/\s+/).map((code) => [code, exponent] as const)),
)

export const Currency = z
  .string()
  .refine((code) => exponents.has(code), 'Must be an ISO 4217 currency code in uppercase, such as EUR.')
  .brand<'Currency'>()
export type Currency = z.output<typeof Currency>

/** An amount of one currency in its minor unit: 1234 USD are $12.34, 1234 JPY are ¥1234, 1234 KWD are 1.234 dinars. */
export interface Money {
  readonly minor: bigint
  readonly currency: Currency
}

type MoneyFault =
  'not_decimal' | 'too_precise' | 'out_of_range' | 'unknown_currency' | 'currencies_differ' | 'no_shares'

export class MoneyError extends Error {
  readonly code: MoneyFault

  constructor(code: MoneyFault, message: string) {
    super(message)
    this.name = 'MoneyError'
    this.code = code
  }
}

/** @throws MoneyError `unknown_currency` */
export function exponentOf(currency: string): number {
  const exponent = exponents.get(currency)
  if (exponent !== undefined) return exponent
  throw new MoneyError('unknown_currency', `${JSON.stringify(currency)} is not a currency of ISO 4217.`)
}

const maxUnits = 2n ** 63n - 1n

/** @throws MoneyError `out_of_range` beyond ±(2^63 − 1), the range of PostgreSQL's bigint */
function inRange(units: bigint): bigint {
  if (units <= maxUnits && units >= -maxUnits) return units
  throw new MoneyError(
    'out_of_range',
    `An amount must be between -${maxUnits} and ${maxUnits} in the currency’s smallest unit.`,
  )
}

/** Longer texts are out of range in any case: reading them would only take time. */
const maxDecimalLength = 64

/** Reads `-12.34` as -1234 for 2 places. @throws MoneyError `not_decimal`, `too_precise`, `out_of_range` */
function parseDecimal(text: string, places: number, unit: string): bigint {
  const [, sign = '', whole = '', fraction = ''] =
    (text.length <= maxDecimalLength && /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)) || []
  if (whole === '') throw new MoneyError('not_decimal', 'Must be a decimal number, such as 12.34 or -5.')
  const digits = fraction.replace(/0+$/, '')
  if (digits.length > places)
    throw new MoneyError('too_precise', `${unit} allows ${places} decimal places, not ${digits.length}.`)
  return inRange(BigInt(`${sign}${whole}${digits.padEnd(places, '0')}`))
}

function formatDecimal(units: bigint, places: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = digits.slice(digits.length - places)
  return `${units < 0n ? '-' : ''}${whole}${places > 0 ? `.${fraction}` : ''}`
}

/**
 * Nothing is rounded: digits beyond the last place must be zeros. @throws MoneyError `not_decimal`, `too_precise`,
 * `out_of_range`
 */
export const parseMoney = (text: string, currency: Currency): Money => ({
  minor: parseDecimal(text, exponentOf(currency), currency),
  currency,
})

export const formatMoney = ({ minor, currency }: Money): string => formatDecimal(minor, exponentOf(currency))

export function displayMoney(money: Money, locale = 'en'): string {
  const places = exponentOf(money.currency)
  const digits = { minimumFractionDigits: places, maximumFractionDigits: places }
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: money.currency, ...digits })
  // A string keeps all digits; a number would keep 15.
  return format.format(DecimalText.parse(formatMoney(money)))
}

const DecimalText = z.templateLiteral([z.number()])

/** @throws MoneyError `currencies_differ`, `out_of_range` */
export function addMoney(one: Money, other: Money): Money {
  if (one.currency !== other.currency)
    throw new MoneyError('currencies_differ', `${one.currency} and ${other.currency} can’t be added.`)
  return { minor: inRange(one.minor + other.minor), currency: one.currency }
}

const nanoPlaces = 9

/** @throws MoneyError `not_decimal`, `too_precise`, `out_of_range` */
export const parseNanoUsd = (dollars: string): bigint => parseDecimal(dollars, nanoPlaces, 'A price in nano-USD')

export const formatNanoUsd = (nanoUsd: bigint): string => formatDecimal(nanoUsd, nanoPlaces)

/**
 * Rounded once to the nearest unit, halves away from zero: `scaleUnits(nanoUsd, 1n, 10_000_000n)` is cents. @throws
 * MoneyError `out_of_range`, and a RangeError unless `denominator` is positive
 */
export function scaleUnits(units: bigint, numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError('The denominator must be positive.')
  const product = units * numerator
  const half = product < 0n ? -denominator : denominator
  return inRange((2n * product + half) / (2n * denominator))
}

/**
 * Every share is less than one unit from its exact part; units left over go to the largest remainders, the first of
 * equal ones. @throws MoneyError `no_shares` without a positive weight, or with a negative one
 */
export function allocate(units: bigint, weights: readonly bigint[]): bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n)
  if (total === 0n || weights.some((weight) => weight < 0n))
    throw new MoneyError('no_shares', 'Weights must be 0 or more, and at least one must be more than 0.')
  const size = units < 0n ? -units : units
  const parts = weights.map((weight, at) => ({ at, share: (size * weight) / total, rest: (size * weight) % total }))
  const left = size - parts.reduce((sum, { share }) => sum + share, 0n)
  const first = parts.toSorted((one, other) =>
    one.rest === other.rest ? one.at - other.at : one.rest > other.rest ? -1 : 1,
  )
  const extra = new Set(first.slice(0, Number(left)).map(({ at }) => at))
  const shares = parts.map(({ at, share }) => share + (extra.has(at) ? 1n : 0n))
  return units < 0n ? shares.map((share) => -share) : shares
}

/** An amount in responses: an integer of minor units or nano-USD (PLT-11). Beyond ±(2^53 − 1), where JSON would round it, it is refused. */
export const Units = z.codec(z.bigint(), z.int(), {
  decode: (units, context) => {
    const number = Number(units)
    if (Number.isSafeInteger(number)) return number
    context.issues.push({ code: 'custom', input: units, message: 'Too large for an exact integer in JSON.' })
    return z.NEVER
  },
  encode: (number) => BigInt(number),
})

export const UnitsInput = z.int('Must be a whole number of the smallest unit, such as cents.').transform(BigInt)

/** Such as `{ amount: '12.34', currency: 'EUR' }`. The errors of `parseMoney` are those of `amount`. */
export const MoneyInput = z.object({ amount: z.string(), currency: Currency }).transform((typed, context) => {
  try {
    return parseMoney(typed.amount, typed.currency)
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error
    context.issues.push({ code: 'custom', path: ['amount'], input: typed.amount, message: error.message })
    return z.NEVER
  }
})
