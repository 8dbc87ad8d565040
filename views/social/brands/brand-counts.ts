/** Counts of a brand end after 1,000: one more means that there are more. */
const maxExact = 1_000

/** A count of a brand, such as “2” or “1,000+”; empty when the caller can’t read it. */
export function formatCount(count: number | null): string {
  if (count === null) return ''
  return count > maxExact ? `${maxExact.toLocaleString('en')}+` : String(count)
}

/** A count of a brand with its noun, such as “1 post” or “1,000+ posts”. */
export const formatCounted = (count: number, what: string): string =>
  `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`
