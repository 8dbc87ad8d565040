import { parseNanoUsd } from '#lib/money.ts'

/** A rate in nano-USD per `units`, such as 2,500,000,000 per 1,000,000 tokens. */
export interface Rate {
  readonly nanoUsd: bigint
  readonly units: bigint
}

const decimals = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 20 })

const converted = new Map<number, bigint>()
const maxConverted = 10_000

/**
 * The catalog's dollars as exact nano-USD, by their decimal digits: arithmetic with floats would drift. A tenth digit
 * rounds up.
 */
export function toNanoUsd(dollars: number): bigint {
  const known = converted.get(dollars)
  if (known !== undefined) return known
  if (converted.size >= maxConverted) converted.clear()
  const nanoUsd = convert(dollars)
  converted.set(dollars, nanoUsd)
  return nanoUsd
}

function convert(dollars: number): bigint {
  const [whole = '0', fraction = ''] = decimals.format(dollars).split('.')
  const rest = /[1-9]/.test(fraction.slice(9)) ? 1n : 0n
  return parseNanoUsd(`${whole}.${fraction.slice(0, 9) || '0'}`) + rest
}

/** A multiple of the units of every rate: tokens per million, calls per thousand, milliseconds per hour. */
const common = 18_000_000n

/** The sum, rounded up once to a whole nano-USD. */
export function addRates(parts: readonly { rate: Rate; quantity: bigint }[]): bigint {
  let sum = 0n
  for (const { rate, quantity } of parts) sum += rate.nanoUsd * quantity * (common / rate.units)
  return (sum + common - 1n) / common
}
