import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import { organizationOf } from '#lib/authorize.ts'
import { withinDays } from '#lib/days.ts'
import { byId, type PageOf } from '#lib/paginate.ts'
import { RefundStatus, type RefundCounts, type RefundFilter } from '../contract/refunds.ts'
import { beginLike, orders, orderWordsOf, refunds } from '../schema.ts'
import { describeRefunds, joinedRefunds, type ReadCall, type StoredDetails } from './read.ts'

type Filter = Omit<RefundFilter, 'limit' | 'cursor'>

const permission = 'payments:read'

function conditionOf(organizationId: string, filter: Filter): SQL | undefined {
  const { orderId, status, reason, requestedBy, currency, q } = filter
  return and(
    eq(refunds.organizationId, organizationId),
    orderId === undefined ? undefined : eq(refunds.orderId, orderId),
    status && eq(refunds.status, status),
    reason && eq(refunds.reason, reason),
    requestedBy === undefined ? undefined : eq(refunds.requestedBy, requestedBy),
    currency && eq(refunds.currency, currency),
    withinDays(refunds.createdAt, filter),
    q ? beginLike(orderWordsOf(orders), q) : undefined,
  )
}

/** The newest first. */
export async function listRefundRows(
  call: ReadCall,
  { limit, cursor, ...filter }: RefundFilter,
): Promise<PageOf<StoredDetails>> {
  const slice = byId(refunds.id, 'desc').slice({ limit, ...(cursor && { cursor }) })
  const rows = await joinedRefunds(call.db)
    .where(and(conditionOf(organizationOf(call.actor, permission), filter), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.pageBy(await describeRefunds(call, rows), ({ id }) => ({ id }))
}

const maxWaiting = 5

/** The oldest that need an approval. */
export async function listWaiting(call: ReadCall): Promise<StoredDetails[]> {
  const where = conditionOf(organizationOf(call.actor, permission), { status: 'needs_approval' })
  return describeRefunds(call, await joinedRefunds(call.db).where(where).orderBy(asc(refunds.id)).limit(maxWaiting))
}

const maxCount = 1_001

export async function countRefunds({ db, actor }: ReadCall, filter: Filter): Promise<RefundCounts> {
  const where = conditionOf(organizationOf(actor, permission), { ...filter, status: undefined })
  const counted = await Promise.all(
    RefundStatus.options.map(async (status) => {
      const bounded = db
        .select({ one: sql`1` })
        .from(refunds)
        .innerJoin(orders, eq(orders.id, refunds.orderId))
        .where(and(where, eq(refunds.status, status)))
        .limit(maxCount)
        .as('bounded')
      const [row] = await db.select({ count: sql<number>`count(*)::int` }).from(bounded)
      return [status, row?.count ?? 0] as const
    }),
  )
  const all = counted.reduce((sum, [, count]) => sum + count, 0)
  return {
    all: Math.min(maxCount, all),
    byStatus: Object.fromEntries(counted.filter(([, count]) => count > 0)),
  }
}
