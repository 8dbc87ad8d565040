import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { organizationOf } from '#lib/authorize.ts'
import { prepared, type Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import type { Order, OrderDetails } from '../contract/orders.ts'
import { listMethodsOf } from '../customers/methods/of-customer.ts'
import {
  disputes,
  invoices,
  merchants,
  orderEvents,
  orderLines,
  orderPayments,
  orders,
  refunds,
  venues,
} from '../schema.ts'
import { listTransactions } from '../ledger/read.ts'
import { describeDispute, describePayment, describeRefund } from './describe.ts'
import type { OrderRights } from './rights.ts'
import { isInvoiceable, isPayable, isRefundable, orderMoves, refundableOf } from './states.ts'
import { percentOf, taxesOf } from './totals.ts'

type OrderRow = typeof orders.$inferSelect
export type StoredOrder = z.input<typeof Order>
type StoredDetails = z.input<typeof OrderDetails>

export const joined = (db: Database) =>
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

export type CardOf = NonNullable<StoredOrder['card']>

export const describeOrder = (
  { order, merchantName, venueName }: JoinedRow,
  card: CardOf | null = null,
): StoredOrder => ({
  ...order,
  card,
  customer: { id: order.customerId, email: order.customerEmail, name: order.customerName },
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

export async function findOrderByNumber(
  db: Database,
  organizationId: string,
  number: string,
): Promise<{ id: string } | undefined> {
  const [row] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.organizationId, organizationId), eq(orders.number, number)))
  return row
}

type ReadCall = Pick<Call<unknown, Actor>, 'db' | 'identity' | 'actor' | 'now'>

/** @throws {Problem} 404 */
export async function readOrder(
  { db, identity, actor, now }: ReadCall,
  id: string,
  rights: OrderRights,
): Promise<StoredDetails> {
  const organizationId = organizationOf(actor, 'payments:read')
  const [found] = await joined(db).where(and(eq(orders.id, id), eq(orders.organizationId, organizationId)))
  if (!found) throw notFound('order')
  const { order } = found
  const of = { orderId: id }
  const canPay = rights.create && isPayable(order.status)
  const [ledger, lines, payments, returned, disputed, [invoice = null], timeline, savedMethods] = await Promise.all([
    rights.ledger ? listTransactions(db, organizationId, { orderId: id, limit: maxMovements }) : null,
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
    prepared(db, 'order invoice', () =>
      db
        .select({ id: invoices.id, number: invoices.number, status: invoices.status })
        .from(invoices)
        .where(and(eq(invoices.orderId, sql.placeholder('orderId')), sql`kind = 'invoice' AND status <> 'void'`)),
    ).execute(of),
    prepared(db, 'order timeline', () =>
      db
        .select()
        .from(orderEvents)
        .where(eq(orderEvents.orderId, sql.placeholder('orderId')))
        .orderBy(desc(orderEvents.id))
        .limit(maxEvents),
    ).execute(of),
    canPay ? listMethodsOf(db, order.customerId, now()) : [],
  ])
  const duplicates = new Set(payments.flatMap(({ id: own, duplicateOf }) => (duplicateOf === null ? [] : [own])))
  const refundable = refundableOf(
    order,
    disputed.filter(({ paymentId }) => !duplicates.has(paymentId)),
  )
  const described = payments.map(describePayment)
  const people = await identity.people([...new Set(timeline.flatMap(({ by }) => by ?? []))])
  return {
    ...describeOrder(found, described.find(({ card }) => card)?.card),
    taxMode: order.taxMode,
    taxRounding: order.taxRounding,
    lines: lines.map((line) => ({ ...line, taxRate: percentOf(line.taxRate) })),
    taxes: taxesOf(lines),
    payments: described,
    refunds: returned.map(describeRefund),
    disputes: disputed.map(describeDispute),
    ledger: ledger?.items ?? null,
    timeline: timeline.map((event) => ({ ...event, byName: people.get(event.by ?? '')?.name ?? null })),
    invoice: rights.readInvoices && invoice ? { id: invoice.id, number: invoice.number } : null,
    savedMethods,
    refundable,
    can: {
      pay: canPay,
      cancel: rights.write && invoice?.status !== 'open' && orderMoves[order.status].includes('cancelled'),
      capture: rights.write && payments.some(({ status }) => status === 'authorized'),
      refund: rights.refund && refundable > 0n && isRefundable(order.status, refundable),
      invoice: rights.writeInvoices && invoice === null && isInvoiceable(order.status),
    },
  }
}

const maxEvents = 200
const maxMovements = 100
