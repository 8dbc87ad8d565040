/** Of the first review link of Ada's organization. */
export const reviewToken = 'a-review-link-of-ada'.padEnd(43, '-')
