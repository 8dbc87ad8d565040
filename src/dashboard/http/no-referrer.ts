/** The token in the address must not reach other sites. */
export const noReferrer = { 'Referrer-Policy': 'no-referrer' }
