import { and, asc, desc, eq, gte, ilike, lt, or, sql, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import { prepared, type Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { byId, type PageOf } from '#lib/paginate.ts'
import type { Order, OrderCounts, OrderDetails, OrderFilter } from '../contract/orders.ts'
import { OrderStatus } from '../contract/orders.ts'
import { disputes, merchants, orderEvents, orderLines, orderPayments, orders, refunds, venues } from '../schema.ts'
import { describeDispute, describePayment, describeRefund } from './describe.ts'
import { isPayable, isRefundable, orderMoves } from './states.ts'
import { percentOf } from './totals.ts'

type OrderRow = typeof orders.$inferSelect
type StoredOrder = z.input<typeof Order>
type StoredDetails = z.input<typeof OrderDetails>

const joined = (db: Database) =>
  db
    .select({ order: orders, merchantName: merchants.name, venueName: venues.name })
    .from(orders)
    .innerJoin(merchants, eq(merchants.id, orders.merchantId))
    .leftJoin(venues, eq(venues.id, orders.venueId))

export interface JoinedRow {
  order: OrderRow
  merchantName: string
  venueName: string | null
}

export const describeOrder = ({ order, merchantName, venueName }: JoinedRow): StoredOrder => ({
  ...order,
  customer: { email: order.customerEmail, name: order.customerName },
  merchant: { id: order.merchantId, name: merchantName },
  venue: order.venueId && venueName !== null ? { id: order.venueId, name: venueName } : null,
})

/** @throws {Problem} 404 */
export async function findOrder(db: Database, organizationId: string, id: string): Promise<OrderRow> {
  const [row] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.organizationId, organizationId)))
  if (!row) throw notFound('order')
  return row
}

interface Rights {
  create: boolean
  write: boolean
  refund: boolean
}

/** @throws {Problem} 404 */
export async function readOrder(db: Database, actor: Actor, id: string, rights: Rights): Promise<StoredDetails> {
  const organizationId = organizationOf(actor, 'payments:read')
  const [found] = await joined(db).where(and(eq(orders.id, id), eq(orders.organizationId, organizationId)))
  if (!found) throw notFound('order')
  const { order } = found
  const of = { orderId: id }
  const [lines, payments, returned, disputed, timeline] = await Promise.all([
    prepared(db, 'order lines', () =>
      db
        .select()
        .from(orderLines)
        .where(eq(orderLines.orderId, sql.placeholder('orderId')))
        .orderBy(asc(orderLines.position)),
    ).execute(of),
    prepared(db, 'order payments', () =>
      db
        .select()
        .from(orderPayments)
        .where(eq(orderPayments.orderId, sql.placeholder('orderId')))
        .orderBy(desc(orderPayments.id)),
    ).execute(of),
    prepared(db, 'order refunds', () =>
      db
        .select()
        .from(refunds)
        .where(eq(refunds.orderId, sql.placeholder('orderId')))
        .orderBy(desc(refunds.id)),
    ).execute(of),
    prepared(db, 'order disputes', () =>
      db
        .select()
        .from(disputes)
        .where(eq(disputes.orderId, sql.placeholder('orderId')))
        .orderBy(desc(disputes.id)),
    ).execute(of),
    prepared(db, 'order timeline', () =>
      db
        .select()
        .from(orderEvents)
        .where(eq(orderEvents.orderId, sql.placeholder('orderId')))
        .orderBy(desc(orderEvents.id))
        .limit(maxEvents),
    ).execute(of),
  ])
  const refundable = order.captured - order.refundsReserved
  return {
    ...describeOrder(found),
    taxMode: order.taxMode,
    taxRounding: order.taxRounding,
    lines: lines.map((line) => ({ ...line, taxRate: percentOf(line.taxRate) })),
    taxes: taxesOf(lines),
    payments: payments.map(describePayment),
    refunds: returned.map(describeRefund),
    disputes: disputed.map(describeDispute),
    timeline,
    refundable,
    can: {
      pay: rights.create && isPayable(order.status),
      cancel: rights.write && orderMoves[order.status].includes('cancelled'),
      capture: rights.write && payments.some(({ status }) => status === 'authorized'),
      refund: rights.refund && refundable > 0n && isRefundable(order.status),
    },
  }
}

const maxEvents = 200

function taxesOf(lines: readonly (typeof orderLines.$inferSelect)[]): { rate: string; amount: bigint }[] {
  const amounts = new Map<number, bigint>()
  for (const { taxRate, tax } of lines) if (taxRate > 0) amounts.set(taxRate, (amounts.get(taxRate) ?? 0n) + tax)
  return [...amounts].map(([rate, amount]) => ({ rate: percentOf(rate), amount }))
}

type Filter = Omit<OrderFilter, 'limit' | 'cursor'>

/** Without wildcards that the search contains. */
const startsWith = (text: string) => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`

const conditionOf = (organizationId: string, filter: Filter): SQL | undefined => {
  const { status, q, currency, merchantId, venueId, from, to } = filter
  return and(
    eq(orders.organizationId, organizationId),
    status && eq(orders.status, status),
    currency && eq(orders.currency, currency),
    merchantId === undefined ? undefined : eq(orders.merchantId, merchantId),
    venueId === undefined ? undefined : eq(orders.venueId, venueId),
    from === undefined ? undefined : gte(orders.createdAt, sql`${from}::date`),
    to === undefined ? undefined : lt(orders.createdAt, sql`${to}::date + 1`),
    q !== undefined
      ? or(
          ilike(orders.number, startsWith(q)),
          ilike(orders.customerEmail, startsWith(q)),
          ilike(orders.customerName, startsWith(q)),
          // People leave out the year.
          /^\d+$/.test(q) ? ilike(orders.number, `%-%${q}`) : undefined,
        )
      : undefined,
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
  return slice.pageBy(rows.map(describeOrder), ({ id }) => ({ id }))
}

const maxCount = 1_001

export async function countOrders(db: Database, actor: Actor, { status: _, ...filter }: Filter): Promise<OrderCounts> {
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
