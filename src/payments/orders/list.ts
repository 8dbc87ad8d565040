import { and, desc, eq, inArray, isNotNull, sql, type SQL } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import { createdWithinDays } from '#lib/days.ts'
import type { Database } from '#lib/db.ts'
import { byId, type PageOf } from '#lib/paginate.ts'
import { OrderStatus, type OrderCounts, type OrderFilter } from '../contract/orders.ts'
import { beginLike, orderPayments, orders, orderWordsOf } from '../schema.ts'
import { describeOrder, joined, type CardOf, type StoredOrder } from './read.ts'

export type Filter = Omit<OrderFilter, 'limit' | 'cursor'>

const conditionOf = (organizationId: string, filter: Filter): SQL | undefined => {
  const { status, q, currency, merchantId, venueId, customerId } = filter
  return and(
    eq(orders.organizationId, organizationId),
    status && eq(orders.status, status),
    currency && eq(orders.currency, currency),
    merchantId === undefined ? undefined : eq(orders.merchantId, merchantId),
    venueId === undefined ? undefined : eq(orders.venueId, venueId),
    customerId === undefined ? undefined : eq(orders.customerId, customerId),
    createdWithinDays(orders, filter),
    q === undefined ? undefined : beginLike(orderWordsOf(orders), q),
  )
}

export async function listOrderRows(
  db: Database,
  actor: Actor,
  { limit, cursor, ...filter }: OrderFilter,
): Promise<PageOf<StoredOrder>> {
  const organizationId = organizationOf(actor, 'payments:read')
  const slice = byId(orders.id, 'desc').slice({ limit, ...(cursor && { cursor }) })
  const rows = await joined(db)
    .where(and(conditionOf(organizationId, filter), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  const cards = await readCards(
    db,
    rows.map(({ order }) => order.id),
  )
  return slice.pageBy(
    rows.map((row) => describeOrder(row, cards.get(row.order.id))),
    ({ id }) => ({ id }),
  )
}

/** The card that each order was paid with, or tried last. */
async function readCards(db: Database, orderIds: readonly string[]): Promise<Map<string, CardOf>> {
  if (orderIds.length === 0) return new Map()
  const rows = await db
    .selectDistinctOn([orderPayments.orderId], {
      orderId: orderPayments.orderId,
      brand: orderPayments.cardBrand,
      lastFour: orderPayments.cardLastFour,
    })
    .from(orderPayments)
    .where(and(inArray(orderPayments.orderId, [...orderIds]), isNotNull(orderPayments.cardBrand)))
    .orderBy(orderPayments.orderId, desc(orderPayments.id))
  return new Map(
    rows.flatMap(({ orderId, brand, lastFour }) =>
      brand !== null && lastFour !== null ? [[orderId, { brand, lastFour }] as const] : [],
    ),
  )
}

const maxCount = 1_001

export async function countOrders(db: Database, actor: Actor, query: Filter): Promise<OrderCounts> {
  const { status: _, ...filter } = query
  const where = conditionOf(organizationOf(actor, 'payments:read'), filter)
  const bounded = (condition: SQL | undefined) =>
    db
      .select({ one: sql`1` })
      .from(orders)
      .where(condition)
      .limit(maxCount)
      .as('bounded')
  const counted = await Promise.all(
    OrderStatus.options.map(async (status) => {
      const [row] = await db
        .select({ count: sql<number>`count(*)::int` })
        .from(bounded(and(where, eq(orders.status, status))))
      return [status, row?.count ?? 0] as const
    }),
  )
  const all = Math.min(
    maxCount,
    counted.reduce((sum, [, count]) => sum + count, 0),
  )
  return { all, byStatus: Object.fromEntries(counted.filter(([, count]) => count > 0)) }
}
