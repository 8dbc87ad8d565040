import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { EventSearch } from '../schema/webhooks.ts'
import { connectedSearches } from '../schema.ts'
import type { EndpointWork } from './account.ts'
import type { EndpointRow } from './secrets.ts'

const recentMs = 30 * 24 * 60 * 60 * 1000

const Rows = z.array(
  z.object({
    account: z.string(),
    searchedUntil: z.coerce.date(),
    search: z.object({ cursor: z.string(), newest: z.string(), from: z.string() }).nullable(),
  }),
)

/**
 * Accounts that were paid last, since a payout can return long after it arrived: those whose events were searched longest
 * ago. Events are searched from an account’s first payout on.
 */
export async function nextConnected(
  { db, now }: Pick<EndpointWork, 'db' | 'now'>,
  { id, organizationId, searchedUntil, createdAt }: EndpointRow,
  limit: number,
): Promise<z.output<typeof Rows>> {
  const recent = new Date(now().getTime() - recentMs).toISOString()
  const since = (searchedUntil ?? createdAt).toISOString()
  const rows = await db.execute(sql`
    SELECT paid.account, known.search,
      coalesce(known.searched_until, greatest(paid.first, ${since}::timestamptz)) AS "searchedUntil"
    FROM (
      SELECT recipient AS account, min(created_at) AS first FROM payments.settlement_items
      WHERE changed_at > ${recent}::timestamptz
        AND (${organizationId}::uuid IS NULL OR organization_id = ${organizationId}::uuid)
      GROUP BY recipient
    ) AS paid
    LEFT JOIN payments.connected_searches AS known ON known.endpoint_id = ${id} AND known.account = paid.account
    ORDER BY known.searched_at NULLS FIRST, paid.account LIMIT ${limit}`)
  return Rows.parse(rows)
}

export async function saveProgress(
  { db, now }: Pick<EndpointWork, 'db' | 'now'>,
  { id, organizationId }: EndpointRow,
  account: string,
  progress: { searchedUntil: Date; search: EventSearch | null },
): Promise<void> {
  const set = { ...progress, searchedAt: now() }
  await db
    .insert(connectedSearches)
    .values({ endpointId: id, organizationId, account, ...set })
    .onConflictDoUpdate({ target: [connectedSearches.endpointId, connectedSearches.account], set })
}
