import { currentFormats } from '#lib/jsx/jsx-runtime.ts'
import { Currency, displayMoney, formatMoney } from '#lib/money.ts'

/** `€42.60` of the currency’s smallest unit, in the reader’s language. */
export function money(units: number, code: string): string {
  const currency = Currency.safeParse(code)
  if (!currency.success) return `${code} ${units}`
  const text = displayMoney({ minor: BigInt(units), currency: currency.data }, currentFormats().language)
  return text.replace('-', '−')
}

/** `42.60`, as forms expect it. */
export function typedMoney(units: number, code: string): string {
  const currency = Currency.safeParse(code)
  return currency.success ? formatMoney({ minor: BigInt(units), currency: currency.data }) : String(units)
}
