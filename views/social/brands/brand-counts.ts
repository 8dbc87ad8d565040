/** Counts of a brand end after 1,000: one more means that there are more. */
const maxExact = 1_000

/** Such as “2” or “1,000+”; empty when the caller can’t read it. */
export function formatCount(count: number | null): string {
  if (count === null) return ''
  return count > maxExact ? `${maxExact.toLocaleString('en')}+` : String(count)
}

export const formatCounted = (count: number, what: string): string =>
  `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`
