import { currentFormats } from '#lib/jsx/jsx-runtime.ts'
import { cent, dollarFormat } from '#views/ui/dollars.ts'

export { dollars } from '#views/ui/dollars.ts'

/** Without cents, for the scale of a chart. */
export const roundDollars = (nanoUsd: number): string => {
  const places = nanoUsd === 0 || nanoUsd >= 100 * cent ? 0 : nanoUsd >= 10 * cent ? 2 : 4
  return dollarFormat(places).format(nanoUsd / (100 * cent))
}

/** `38,214`. */
export const amount = (value: number): string => value.toLocaleString(currentFormats().language)

/** Of a whole, from 0 to 100. */
export const percent = (part: number, whole: number): number => (whole > 0 ? Math.round((part / whole) * 100) : 0)
