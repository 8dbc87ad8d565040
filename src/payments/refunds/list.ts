import { and, asc, eq, gte, ilike, lt, or, sql, type SQL } from 'drizzle-orm'
import { organizationOf } from '#lib/authorize.ts'
import { byId, type PageOf } from '#lib/paginate.ts'
import { csvOf } from '#lib/response/csv.ts'
import { wallTime } from '#lib/time.ts'
import { RefundDetails, RefundStatus, type RefundCounts, type RefundFilter } from '../contract/refunds.ts'
import { orders, refunds } from '../schema.ts'
import { describeRefunds, joinedRefunds, type ReadCall, type StoredDetails } from './read.ts'

type Filter = Omit<RefundFilter, 'limit' | 'cursor'>

const permission = 'payments:read'

const dayAfter = (day: string): string => Temporal.PlainDate.from(day).add({ days: 1 }).toString()

/** Without wildcards that the search contains. */
const startsWith = (text: string): string => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`

function conditionOf(organizationId: string, filter: Filter): SQL | undefined {
  const { orderId, status, reason, requestedBy, currency, q, from, to, timeZone = 'UTC' } = filter
  return and(
    eq(refunds.organizationId, organizationId),
    orderId === undefined ? undefined : eq(refunds.orderId, orderId),
    status && eq(refunds.status, status),
    reason && eq(refunds.reason, reason),
    requestedBy === undefined ? undefined : eq(refunds.requestedBy, requestedBy),
    currency && eq(refunds.currency, currency),
    from === undefined ? undefined : gte(refunds.createdAt, wallTime(`${from}T00:00`, timeZone)),
    to === undefined ? undefined : lt(refunds.createdAt, wallTime(`${dayAfter(to)}T00:00`, timeZone)),
    q
      ? or(
          ilike(orders.number, startsWith(q)),
          ilike(orders.customerEmail, startsWith(q)),
          ilike(orders.customerName, startsWith(q)),
        )
      : undefined,
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

const rowsPerRead = 200

const Line = RefundDetails.omit({ approval: true, can: true })

/** All that match, the newest first, as RFC 4180. */
export async function* exportRefundLines(call: ReadCall, filter: Filter): AsyncGenerator<string> {
  let cursor: string | undefined
  do {
    const { items, nextCursor } = await listRefundRows(call, {
      ...filter,
      limit: rowsPerRead,
      ...(cursor !== undefined && { cursor }),
    })
    const text = csvOf(
      Line,
      items.map((item) => Line.parse(item)),
    )
    yield cursor === undefined ? text : text.slice(text.indexOf('\r\n') + 2)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}
