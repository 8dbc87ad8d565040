/** Of files that people uploaded. Another session of the same browser asks again, since permissions differ. */
export const fileHeaders = {
  Vary: 'Accept, Accept-Encoding, Cookie, HX-Request, HX-Request-Type',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
}
