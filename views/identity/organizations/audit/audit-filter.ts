import { capitalize } from '#lib/text.ts'
/** What the log is narrowed to, as its address says it. */
export interface AuditFilter {
  principalId?: string
  object?: string
  /** Days as `2026-11-21`, both included. */
  from?: string
  to?: string
}

/** The kinds of things that acts are about, in the words of the filter. */
export const objectNames: Record<string, string> = {
  account: 'Accounts',
  api_key: 'API keys',
  brand: 'Brands',
  invitation: 'Invitations',
  member: 'Members',
  organization: 'Organization',
  post: 'Posts',
  session: 'Sign-ins',
}

/** The page's address under a filter. */
export const auditHref = (filter: AuditFilter, more: Record<string, string | undefined> = {}): string =>
  address('/settings/audit', { ...filter, ...more })

/** An address with those parameters that say something. */
export function address(path: string, parameters: object): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path
}

/** A name of the API as people read it: `createPost` is "Create post". */
export const spelled = (name: string): string => {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return capitalize(words)
}
