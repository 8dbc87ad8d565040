import { Currency, displayMoney } from '#lib/money.ts'
import type { Address } from '../../contract/address.ts'

export interface Formats {
  money(units: bigint): string
  day(day: string): string
  percent(rate: string): string
  number(value: number): string
  address(address: Address | null): string
}

export function formatsOf(language: string, currency: string): Formats {
  const code = Currency.parse(currency)
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
  const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 4 })
  const numbers = new Intl.NumberFormat(language)
  const countries = new Intl.DisplayNames(language, { type: 'region' })
  return {
    money: (minor) => displayMoney({ minor, currency: code }, language),
    day: (day) => days.format(new Date(`${day}T00:00:00Z`)),
    percent: (rate) => percents.format(Number(rate) / 100),
    number: (value) => numbers.format(value),
    address: (address) => (address ? addressLines(address, (country) => countries.of(country) ?? country) : ''),
  }
}

function addressLines(
  { line1, line2, postalCode, city, region, country }: Address,
  nameOf: (country: string) => string,
): string {
  const place = [postalCode, city].filter(Boolean).join(' ')
  return [line1, line2, place, region, country && nameOf(country)].filter(Boolean).join('\n')
}
