import type { AuditFilter as ListFilter } from '#identity/types'

import { capitalize } from '#lib/text.ts'
import { listHref } from '#views/ui/lists.tsx'

/** Events that the page loads at a time. */
export const auditPageSize = 50

/** The filters in the page’s URL. */
export interface AuditFilter {
  principalId?: string
  object?: string
  /** Days as `2026-11-21` in the reader’s time zone, both included. */
  from?: string
  to?: string
}

/** Kinds of objects, as the filter names them. */
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

/** The page’s filters for those of the list, whose times become days that contain them. */
export function daysOf({ principalId, object, from, to, timeZone = 'UTC' }: ListFilter): AuditFilter {
  const dayOf = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate().toString()
  return {
    principalId,
    object,
    from: from instanceof Date ? dayOf(from.getTime()) : from,
    to: to instanceof Date ? dayOf(to.getTime() - 1) : to,
  }
}

/** The page’s URL with filters. */
export const auditHref = (filter: AuditFilter, more: Record<string, string | undefined> = {}): string =>
  listHref('/settings/audit', { ...filter, ...more })

/** A name of the API as people read it: `expiresAt` is "Expires at", `api_key` is "API key". */
export const spellOut = (name: string): string =>
  capitalize(
    name
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replaceAll('_', ' ')
      .toLowerCase(),
  ).replaceAll(/\b(?:api|id|ids|sso|url)\b/gi, (word) => (word.toLowerCase() === 'ids' ? 'IDs' : word.toUpperCase()))
