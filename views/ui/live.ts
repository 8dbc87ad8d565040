/**
 * The attributes of a part that reloads from its operation when one of these topics changes; `often` does every 5 s.
 * `address` is the URL of the operation, with the query that it was drawn with.
 */
export const liveAt = (address: string, topics: string) =>
  ({
    'hx-get': address,
    'data-live': topics,
    'hx-trigger': 'live',
    'hx-target': 'this',
    'hx-swap': 'outerMorph',
  }) as const

/** The attributes of a link that shows another part of a list in place; its `href` is the same as a page. */
export const replacing = (part: string, address: string) =>
  ({ 'hx-get': address, 'hx-target': part, 'hx-swap': 'outerMorph', 'hx-push-url': 'true' }) as const

/** A URL with the parameters that have a value. */
export function addressOf(path: string, parameters: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])),
  )
  return query.size > 0 ? `${path}?${query}` : path
}
