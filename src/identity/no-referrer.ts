/** Headers of a page whose address holds a secret: no other page is told where its visitor came from. */
export const noReferrer = { 'Referrer-Policy': 'no-referrer' }
