import { currentFormats } from '#lib/jsx/jsx-runtime.ts'
import { formatNanoUsd } from '#lib/money.ts'

const formatters = new Map<string, Intl.NumberFormat>()

export function dollarFormat(places: number): Intl.NumberFormat {
  const { language } = currentFormats()
  const key = `${language} ${places}`
  const known = formatters.get(key)
  if (known) return known
  const digits = { minimumFractionDigits: places, maximumFractionDigits: places }
  const created = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    ...digits,
  })
  formatters.set(key, created)
  return created
}

export const cent = 10_000_000
/** Of what is shown with four decimal places. */
const smallest = 50_000

/** `$412.86`; below 10 cents with four decimal places, such as `$0.0148`. */
export function dollars(nanoUsd: number): string {
  const isSmall = nanoUsd > 0 && nanoUsd < 10 * cent
  if (isSmall && nanoUsd < smallest) return `<${dollarFormat(4).format(0.0001)}`
  return dollarFormat(isSmall ? 4 : 2).format(Number(formatNanoUsd(BigInt(nanoUsd))))
}
