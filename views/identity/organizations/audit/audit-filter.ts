import type { AuditFilter as ListFilter } from '#identity/types'

import { capitalize } from '#lib/text.ts'
export interface AuditFilter {
  principalId?: string
  object?: string
  /** Days as `2026-11-21`, both included. */
  from?: string
  to?: string
}

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

/** The list's times are the start of the first day and the end of the last. */
export const daysOf = ({ principalId, object, from, to }: ListFilter): AuditFilter => ({
  principalId,
  object,
  from: from?.toISOString().slice(0, 10),
  to: to && new Date(to.getTime() - 1).toISOString().slice(0, 10),
})

export const auditHref = (filter: AuditFilter, more: Record<string, string | undefined> = {}): string =>
  address('/settings/audit', { ...filter, ...more })

export function address(path: string, parameters: object): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path
}

/** `createPost` is “Create post”. */
export const spelled = (name: string): string => {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return capitalize(words)
}
