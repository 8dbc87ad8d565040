import { and, eq, gte, isNotNull, or, sql } from 'drizzle-orm'
import { prepared, type Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { keyset } from '#lib/paginate.ts'
import { Instant } from '#lib/time.ts'
import { usageLogs } from '../schema.ts'

interface FailureQuery {
  organizationId: string
  /** RFC 3339. */
  since: string
  limit: number
  cursor?: string | undefined
}

const newestFirst = keyset({ occurredAt: [usageLogs.occurredAt, Instant], id: [usageLogs.id, Id] }, 'desc')

/** Calls to providers that failed or that another model answered, the newest first. */
export async function listFailures(db: Database, { organizationId, since, ...page }: FailureQuery) {
  const slice = newestFirst.slice(page)
  const statement = prepared(db, `provider failures ${slice.values ? 'next' : 'first'}`, () =>
    db
      .select({
        id: usageLogs.id,
        occurredAt: usageLogs.occurredAt,
        requestId: usageLogs.requestId,
        applicationId: usageLogs.applicationId,
        userId: usageLogs.userId,
        provider: usageLogs.provider,
        model: usageLogs.model,
        status: usageLogs.status,
        errorCode: usageLogs.errorCode,
        fallbacks: sql`coalesce(${usageLogs.fallbacks}, 0)`.mapWith(Number),
        latencyMs: usageLogs.latencyMs,
      })
      .from(usageLogs)
      .where(
        and(
          eq(usageLogs.organizationId, sql.placeholder('organizationId')),
          gte(usageLogs.occurredAt, sql.placeholder('since')),
          isNotNull(usageLogs.status),
          or(isNotNull(usageLogs.errorCode), gte(usageLogs.status, 400), sql`${usageLogs.fallbacks} > 0`),
          slice.values ? newestFirst.behindPlaceholders : undefined,
        ),
      )
      .orderBy(...slice.order)
      .limit(sql.placeholder('limit')),
  )
  const rows = await statement.execute({ organizationId, since, ...slice.values, limit: slice.limit })
  return slice.page(rows)
}
