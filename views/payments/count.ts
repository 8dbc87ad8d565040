const maxCount = 1_000

/** Of a count that ends at 1,001. */
export const countText = (count: number): string =>
  count > maxCount ? `${maxCount.toLocaleString('en')}+` : count.toLocaleString('en')
