import { and, eq, gte, isNull, lt, type SQL } from 'drizzle-orm'
import type { Database } from '../db.ts'
import { Id } from '../ids.ts'
import { keyset, type PageOf } from '../paginate.ts'
import { auditLog } from '../schema.ts'
import { Instant } from '../time.ts'

export type AuditRow = typeof auditLog.$inferSelect

export interface AuditFilter {
  /** The slug of the service whose operations they are. */
  service?: string
  principalId?: string
  object?: string
  objectId?: string
  operation?: string
  outcome?: AuditRow['outcome']
  /** Inclusive; `to` is exclusive. */
  from?: Date
  to?: Date
}

const inTime = { at: [auditLog.at, Instant], id: [auditLog.id, Id] } as const
const oldestFirst = keyset(inTime)
const newestFirst = keyset(inTime, 'desc')

/** @throws {Problem} 422 for a cursor of another list */
export async function readAuditPage(
  db: Database,
  organizationId: string,
  filter: AuditFilter & { limit: number; cursor?: string },
): Promise<PageOf<AuditRow>> {
  const slice = newestFirst.slice(filter)
  const rows = await db
    .select()
    .from(auditLog)
    .where(and(...conditionsOf(organizationId, filter), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows)
}

const batchSize = 500

/** Reads an organization's log in batches, oldest first, up to `until` (exclusive). */
export async function* streamAuditRows(
  db: Database,
  organizationId: string,
  filter: AuditFilter,
  until: Date,
): AsyncGenerator<AuditRow[]> {
  const where = [...conditionsOf(organizationId, filter), lt(auditLog.at, until)]
  let after: AuditRow | undefined
  do {
    const rows: AuditRow[] = await db
      .select()
      .from(auditLog)
      .where(and(...where, after && oldestFirst.behind(after)))
      .orderBy(...oldestFirst.order)
      .limit(batchSize)
    if (rows.length > 0) yield rows
    after = rows.length === batchSize ? rows.at(-1) : undefined
  } while (after)
}

export const listRefusals = (db: Database, { object, objectId }: { object: string; objectId: string }, limit: number) =>
  db
    .select({ at: auditLog.at, address: auditLog.address })
    .from(auditLog)
    .where(
      and(
        isNull(auditLog.organizationId),
        eq(auditLog.objectId, objectId),
        eq(auditLog.objectKind, object),
        eq(auditLog.outcome, 'refused'),
      ),
    )
    .orderBy(...newestFirst.order)
    .limit(limit)

function conditionsOf(organizationId: string, filter: AuditFilter): SQL[] {
  const { service, principalId, object, objectId, operation, outcome, from, to } = filter
  const conditions = [
    eq(auditLog.organizationId, organizationId),
    service && eq(auditLog.service, service),
    principalId && eq(auditLog.principalId, principalId),
    object && eq(auditLog.objectKind, object),
    objectId && eq(auditLog.objectId, objectId),
    operation && eq(auditLog.operation, operation),
    outcome && eq(auditLog.outcome, outcome),
    from && gte(auditLog.at, from),
    to && lt(auditLog.at, to),
  ]
  return conditions.filter((condition) => typeof condition === 'object')
}
