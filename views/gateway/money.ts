import { currentFormats } from '#lib/jsx/jsx-runtime.ts'
import { formatNanoUsd } from '#lib/money.ts'

const formatters = new Map<string, Intl.NumberFormat>()

function formatterOf(places: number): Intl.NumberFormat {
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

const cent = 10_000_000
/** Of what is shown with four decimal places. */
const smallest = 50_000

/** `$412.86`; below 10 cents with four decimal places, such as `$0.0148`. */
export function dollars(nanoUsd: number): string {
  const isSmall = nanoUsd > 0 && nanoUsd < 10 * cent
  if (isSmall && nanoUsd < smallest) return `<${formatterOf(4).format(0.0001)}`
  return formatterOf(isSmall ? 4 : 2).format(Number(formatNanoUsd(BigInt(nanoUsd))))
}

/** Without cents, for the scale of a chart. */
export const roundDollars = (nanoUsd: number): string => {
  const places = nanoUsd === 0 || nanoUsd >= 100 * cent ? 0 : nanoUsd >= 10 * cent ? 2 : 4
  return formatterOf(places).format(nanoUsd / (100 * cent))
}

/** `38,214`. */
export const amount = (value: number): string => value.toLocaleString(currentFormats().language)

/** Of a whole, from 0 to 100. */
export const percent = (part: number, whole: number): number => (whole > 0 ? Math.round((part / whole) * 100) : 0)
