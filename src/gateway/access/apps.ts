import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { prepared, type Database } from '#lib/db.ts'
import { keyset } from '#lib/paginate.ts'
import { usageDaily } from '../schema.ts'

interface AppQuery {
  organizationId: string
  /** The first day of the month that is summed up, in UTC. */
  month: string
  limit: number
  cursor?: string | undefined
}

const Kind = z.enum(['app', 'api_key'])
const kind = sql<z.output<typeof Kind>>`attributed.kind`
const id = sql<string>`attributed.id`
const byKind = keyset({ kind: [kind, Kind], id: [id, z.string()] })

// A request of an API key for an app is attributed to both.
const attributed = sql`LATERAL (VALUES ('app', ${usageDaily.applicationId}), ('api_key', ${usageDaily.apiKeyId}::text))
  AS attributed (kind, id)`

/** What the organization's usage is attributed to: API keys, then apps. */
export async function listAttributed(db: Database, { organizationId, month, ...page }: AppQuery) {
  const slice = byKind.slice(page)
  const ofMonth = sql`FILTER (WHERE ${usageDaily.day} >= ${sql.placeholder('month')})`
  const statement = prepared(db, `attributed apps ${slice.values ? 'next' : 'first'}`, () =>
    db
      .select({
        kind,
        id,
        firstUsedOn: sql<string>`min(${usageDaily.day})::text`,
        lastUsedOn: sql<string>`max(${usageDaily.day})::text`,
        requests: sql`coalesce(sum(${usageDaily.count}) ${ofMonth}, 0)`.mapWith(Number),
        costNanoUsd: sql`coalesce(sum(${usageDaily.costNanoUsd}) ${ofMonth}, 0)`.mapWith(BigInt),
      })
      .from(usageDaily)
      .innerJoin(attributed, sql`${id} IS NOT NULL`)
      .where(
        and(
          eq(usageDaily.organizationId, sql.placeholder('organizationId')),
          slice.values ? byKind.behindPlaceholders : undefined,
        ),
      )
      .groupBy(kind, id)
      .orderBy(...slice.order)
      .limit(sql.placeholder('limit')),
  )
  const rows = await statement.execute({ organizationId, month, ...slice.values, limit: slice.limit })
  return slice.page(rows)
}
