/** The address is a secret: no other site, cache or search engine gets it. */
export const secretAddress = {
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
}
