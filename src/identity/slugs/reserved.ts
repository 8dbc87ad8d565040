import subdomains from 'reserved-subdomains'
import usernames from 'reserved-usernames'
import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'

/** What both lists lack, and addresses of a product like this one may come to need. */
const extraNames = ['internal', 'oauth', 'launch', 'webhooks', 'webhook', 'callback', 'callbacks', 'status', 'v1', 'v2']
/** First path segments that are planned, or exist on some servers alone. */
const plannedPaths = (
  'platform gateway pay dashboard apps actions onboarding workspace settings admin developers dev mcp openapi checkout ' +
  'pricing contact demo security feedback data-deletion store launcher workflows integrations notifications widgets invitation'
).split(' ')
const names = new Set([...subdomains.names, ...usernames, ...extraNames, ...plannedPaths])
/** The list's patterns mean whole names: `m1` is reserved, `team1` is not. */
const pattern = new RegExp(`^(?:${subdomains.patterns.join('|')})$`)

/** Whether no organization may have this slug, since it means something on the web or here (IDN-43). */
export const isReserved = (slug: string, ownNames: ReadonlySet<string>): boolean =>
  names.has(slug) || pattern.test(slug) || ownNames.has(slug)

/** Throws 422 for a wished slug that is reserved; `field` is the one that it came in. */
export function requireUnreserved({ ownNames }: Pick<Call, 'ownNames'>, slug: string | undefined, field: string): void {
  if (slug === undefined || !isReserved(slug, ownNames)) return
  throw invalid([{ path: field, message: 'This address is reserved. Choose another one.' }])
}
