import { currentFormats } from '#lib/jsx/jsx-runtime.ts'
import { Currency, displayMoney, formatMoney } from '#lib/money.ts'

/** `€42.60` of the currency’s smallest unit, in the reader’s language. */
export const money = (units: number, currency: string): string =>
  displayMoney({ minor: BigInt(units), currency: Currency.parse(currency) }, currentFormats().language).replace(
    '-',
    '−',
  )

/** `42.60`, as forms expect it. */
export const typedMoney = (units: number, currency: string): string =>
  formatMoney({ minor: BigInt(units), currency: Currency.parse(currency) })
