import subdomains from 'reserved-subdomains'
import usernames from 'reserved-usernames'
import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'

/** Names that both packages lack. */
const extraNames = ['internal', 'oauth', 'launch', 'webhooks', 'webhook', 'callback', 'callbacks', 'status', 'v1', 'v2']
/** First path segments that are planned, or exist only on some servers. */
const plannedPaths = (
  'platform gateway pay dashboard apps actions onboarding workspace settings admin developers dev mcp openapi checkout ' +
  'pricing contact demo security feedback data-deletion store launcher workflows integrations notifications widgets invitation'
).split(' ')
const names = new Set([...subdomains.names, ...usernames, ...extraNames, ...plannedPaths])
/** The package’s patterns match whole names: `m1` is reserved, `team1` is not. */
const pattern = new RegExp(`^(?:${subdomains.patterns.join('|')})$`)

/** Slugs that mean something on the web or on this server (IDN-43). */
export const isReserved = (slug: string, ownNames: ReadonlySet<string>): boolean =>
  names.has(slug) || pattern.test(slug) || ownNames.has(slug)

/** @throws 422 for a reserved slug, naming `field` */
export function requireUnreserved({ ownNames }: Pick<Call, 'ownNames'>, slug: string | undefined, field: string): void {
  if (slug === undefined || !isReserved(slug, ownNames)) return
  throw invalid([{ path: field, message: 'This slug is reserved. Choose another one.' }])
}
