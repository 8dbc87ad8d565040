import Negotiator from 'negotiator'

/** Programs send the same few headers with every request, and reading one takes longer than looking at a cached result. */
const preferred = new Map<string, string | undefined>()
const maxCached = 200
const maxCachedLength = 300

/**
 * The media type of `available` that a request's `Accept` prefers, by weight, then specificity, then its own order
 * (RFC 9110, 12.5.1), then the order of `available`. The first one without the header; undefined when none is acceptable.
 * Parameters of media types are ignored.
 */
export function preferredType<Type extends string>(headers: Headers, available: readonly Type[]): Type | undefined {
  const accept = headers.get('accept')
  if (accept === null) return available[0]
  const key = `${accept} ${available.join()}`
  const type = preferred.has(key) ? preferred.get(key) : negotiate(accept, available)
  if (preferred.size > maxCached) preferred.clear()
  if (accept.length <= maxCachedLength) preferred.set(key, type)
  return available.find((one) => one === type)
}

function negotiate(accept: string, available: readonly string[]): string | undefined {
  const withoutParameters = accept.replaceAll(/;(?!\s*q=)[^;,]*/gi, '')
  return new Negotiator({ headers: { accept: withoutParameters } }).mediaType([...available])
}

/** Whether a request's response is HTML: always for htmx, else when `Accept` prefers it to JSON. */
export const wantsHtml = (headers: Headers): boolean =>
  headers.has('hx-request') || preferredType(headers, ['application/json', 'text/html']) === 'text/html'
