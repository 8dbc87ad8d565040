import type { AuditFilter as ListFilter } from '#lib/audit/contract.ts'
import { capitalize } from '#lib/text.ts'
import { listHref } from '#views/ui/lists.tsx'

/** Events that a page loads at a time. */
export const auditPageSize = 50

/** Where a log is shown, and by what it can be filtered. */
export interface AuditPlace {
  /** The path of its page. */
  page: string
  /** The path of its list. */
  list: string
  /** Kinds of objects, as the filter names them. */
  objects: Readonly<Record<string, string>>
  /** The path of an object’s page. */
  pathOf?(kind: string, id: string): string | undefined
}

/** The filters in the page’s URL. */
export interface AuditFilter {
  principalId?: string
  object?: string
  operation?: string
  outcome?: ListFilter['outcome']
  /** Days as `2026-11-21` in the reader’s time zone, both included. */
  from?: string
  to?: string
}

/** The page’s filters for those of the list, whose times become days that contain them. */
export function daysOf({ from, to, timeZone = 'UTC', ...filter }: ListFilter): AuditFilter {
  const dayOf = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate().toString()
  const { principalId, object, operation, outcome } = filter
  return {
    principalId,
    object,
    operation,
    outcome,
    from: from instanceof Date ? dayOf(from.getTime()) : from,
    to: to instanceof Date ? dayOf(to.getTime() - 1) : to,
  }
}

/** The page’s URL with filters. */
export const auditHref = (
  { page }: AuditPlace,
  filter: AuditFilter,
  more: Record<string, string | undefined> = {},
): string => listHref(page, { ...filter, ...more })

/** A name of the API as people read it: `expiresAt` is "Expires at", `api_key` is "API key". */
export const spellOut = (name: string): string =>
  capitalize(
    name
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replaceAll('_', ' ')
      .toLowerCase(),
  ).replaceAll(/\b(?:api|id|ids|sso|url)\b/gi, (word) => (word.toLowerCase() === 'ids' ? 'IDs' : word.toUpperCase()))
