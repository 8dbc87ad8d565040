/** Headers of a page whose address holds a secret: no other page is told where its visitor came from. */
export const unreferred = { 'Referrer-Policy': 'no-referrer' }
