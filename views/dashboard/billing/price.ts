import { Currency, displayMoney } from '#lib/money.ts'

export const price = (units: number, currency: string): string =>
  displayMoney({ minor: BigInt(units), currency: Currency.parse(currency) }, 'en')
