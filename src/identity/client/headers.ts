import type { Presented } from '../tokens/credential.ts'

/** The caller's own credential. */
export const headersOf = ({ authorization, cookie }: Presented): Record<string, string> => {
  if (authorization !== undefined) return { authorization }
  return cookie === undefined ? {} : { cookie }
}

/** The server that this client runs in has checked where the request came from. */
export const changingHeaders = (presented: Presented): Record<string, string> => ({
  ...headersOf(presented),
  'content-type': 'application/json',
  'sec-fetch-site': 'same-origin',
})
