import { and, asc, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { PaymentAttention } from '../contract/dashboard.ts'
import { disputes, orderPayments, orders, refunds } from '../schema.ts'

type Stored = z.input<typeof PaymentAttention>

const maxOfKind = 20

/** What people have to look at, disputes by their due date first. */
export async function listAttention(db: Database, organizationId: string): Promise<Stored[]> {
  const [open, returned, unclear] = await Promise.all([
    db
      .select(columnsOf(disputes, disputes.evidenceDueAt))
      .from(disputes)
      .innerJoin(orders, eq(orders.id, disputes.orderId))
      .where(and(eq(disputes.organizationId, organizationId), isNull(disputes.closedAt)))
      .orderBy(asc(disputes.evidenceDueAt))
      .limit(maxOfKind),
    db
      .select({ ...columnsOf(refunds, refunds.nextCheckAt), status: refunds.status })
      .from(refunds)
      .innerJoin(orders, eq(orders.id, refunds.orderId))
      .where(ofOrganization(refunds, organizationId, inArray(refunds.status, ['needs_approval', 'unknown'])))
      .orderBy(asc(refunds.id))
      .limit(maxOfKind),
    db
      .select(columnsOf(orderPayments, orderPayments.nextCheckAt))
      .from(orderPayments)
      .innerJoin(orders, eq(orders.id, orderPayments.orderId))
      .where(ofOrganization(orderPayments, organizationId, eq(orderPayments.status, 'unknown')))
      .orderBy(asc(orderPayments.id))
      .limit(maxOfKind),
  ])
  const found: Stored[] = [
    ...open.map((row) => ({ ...row, kind: 'dispute' as const })),
    ...returned.map(({ status, ...row }) =>
      status === 'unknown'
        ? { ...row, kind: 'refund_unknown' as const }
        : { ...row, kind: 'refund_approval' as const, at: null },
    ),
    ...unclear.map((row) => ({ ...row, kind: 'payment_unknown' as const })),
  ]
  return found.slice(0, maxOfKind)
}

type Source = typeof disputes | typeof refunds | typeof orderPayments

const columnsOf = <At extends PgColumn>(source: Source, at: At) => ({
  id: source.id,
  orderId: source.orderId,
  orderNumber: orders.number,
  amount: source.amount,
  currency: source.currency,
  at,
})

const ofOrganization = (source: Source, organizationId: string, condition: SQL): SQL | undefined =>
  and(eq(source.organizationId, organizationId), condition)
