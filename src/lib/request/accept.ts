import Negotiator from 'negotiator'

/**
 * The media type of `available` that a request's `Accept` prefers, by weight, then specificity, then its own order
 * (RFC 9110, 12.5.1), then the order of `available`. The first one without the header; undefined when none is acceptable.
 * Parameters of media types are ignored.
 */
export function preferredType<Type extends string>(headers: Headers, available: readonly Type[]): Type | undefined {
  const accept = headers.get('accept')?.replaceAll(/;(?!\s*q=)[^;,]*/gi, '')
  const preferred = new Negotiator({ headers: { accept } }).mediaType(available)
  return available.find((type) => type === preferred)
}

/** Whether a request's response is HTML: always for htmx, else when `Accept` prefers it to JSON. */
export const wantsHtml = (headers: Headers): boolean =>
  headers.has('hx-request') || preferredType(headers, ['application/json', 'text/html']) === 'text/html'
