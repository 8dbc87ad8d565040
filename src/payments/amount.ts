import { invalid } from '#lib/errors.ts'
import { Currency, formatMoney, MoneyError, parseMoney } from '#lib/money.ts'

interface AmountField {
  path: string
  least?: bigint
  most?: bigint
}

/** A decimal number of a form in the currency’s smallest unit. @throws {Problem} 422 at the field’s `path` */
export function parseDecimalAmount(text: string, code: string, { path, least = 0n, most }: AmountField): bigint {
  const currency = Currency.parse(code)
  const minor = parse(text, currency, path)
  const bound = (units: bigint) => formatMoney({ minor: units, currency })
  if (minor < least) throw invalid([{ path, message: `Must be at least ${bound(least)}.` }])
  if (most !== undefined && minor > most) throw invalid([{ path, message: `Must be at most ${bound(most)}.` }])
  return minor
}

function parse(text: string, currency: Currency, path: string): bigint {
  try {
    return parseMoney(text, currency).minor
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error
    throw invalid([{ path, message: error.message }])
  }
}
