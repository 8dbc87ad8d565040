import { and, count, desc, eq, gte, inArray, isNotNull, isNull, ne, notInArray, sql, sum, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { withinDays } from '#lib/days.ts'
import type { Database } from '#lib/db.ts'
import type { PaymentsDashboard } from '../contract/dashboard.ts'
import type { PaymentStatus } from '../contract/payments.ts'
import { firstIdAt } from '#lib/ids.ts'
import { wallTime } from '#lib/time.ts'
import { orderPayments, orders, refunds } from '../schema.ts'
import type { DayRange } from './range.ts'

export interface Scope extends DayRange {
  organizationId: string
  currency: string
  merchantId?: string | undefined
  venueId?: string | undefined
  /** Of the days; UTC when not set. */
  timeZone?: string | undefined
}

type Stored = Pick<z.input<typeof PaymentsDashboard>, 'methods' | 'payments' | 'declines' | 'refundReasons'>

const open: readonly PaymentStatus[] = ['unknown', 'requires_action', 'processing', 'authorized']
const maxDeclines = 5

/** How payments of the days went, and why money went back. */
export async function readBreakdown(db: Database, scope: Scope): Promise<Stored> {
  const paid = triesWithin(scope)
  const [methods, outcomes, declines, refundReasons] = await Promise.all([
    db
      .select({ brand: orderPayments.cardBrand, amount: sumOf(orderPayments.captured), payments: count() })
      .from(orderPayments)
      .innerJoin(orders, eq(orders.id, orderPayments.orderId))
      .where(and(paid, eq(orderPayments.status, 'succeeded')))
      .groupBy(orderPayments.cardBrand)
      .orderBy(desc(sum(orderPayments.captured))),
    readOutcomes(db, paid),
    db
      .select({ code: sql<string>`${orderPayments.failureCode}`, payments: count() })
      .from(orderPayments)
      .innerJoin(orders, eq(orders.id, orderPayments.orderId))
      .where(and(paid, ne(orderPayments.status, 'succeeded'), isNotNull(orderPayments.failureCode)))
      .groupBy(orderPayments.failureCode)
      .orderBy(desc(count()), orderPayments.failureCode)
      .limit(maxDeclines),
    db
      .select({ reason: refunds.reason, amount: sumOf(refunds.amount), refunds: count() })
      .from(refunds)
      .innerJoin(orders, eq(orders.id, refunds.orderId))
      .where(and(within(refunds, scope), notInArray(refunds.status, ['failed', 'cancelled', 'needs_approval'])))
      .groupBy(refunds.reason)
      .orderBy(desc(sum(refunds.amount))),
  ])
  return { methods, payments: outcomes, declines, refundReasons }
}

const { status, failureCode } = orderPayments
const countOf = (condition: SQL | undefined) => sql<number>`(count(*) FILTER (WHERE ${condition}))::int`

/** How many payments ended how. */
export const outcomeCounts = {
  succeeded: countOf(eq(status, 'succeeded')),
  declined: countOf(and(ne(status, 'succeeded'), isNotNull(failureCode))),
  open: countOf(and(inArray(status, [...open]), sql`${failureCode} IS NULL`)),
  abandoned: countOf(and(notInArray(status, ['succeeded', ...open]), sql`${failureCode} IS NULL`)),
}

/** The payments that were created on the days, without second payments of an order. */
export const triesWithin = (scope: Scope): SQL | undefined =>
  and(within(orderPayments, scope), isNull(orderPayments.duplicateOf))

async function readOutcomes(db: Database, paid: SQL | undefined): Promise<Stored['payments']> {
  const [row] = await db
    .select(outcomeCounts)
    .from(orderPayments)
    .innerJoin(orders, eq(orders.id, orderPayments.orderId))
    .where(paid)
  return row ?? { succeeded: 0, declined: 0, open: 0, abandoned: 0 }
}

const sumOf = (column: PgColumn) => sql`coalesce(sum(${column}), 0)`.mapWith(BigInt)

const within = (
  table: typeof orderPayments | typeof refunds,
  { organizationId, currency, merchantId, venueId, from, to, timeZone }: Scope,
): SQL | undefined =>
  and(
    eq(table.organizationId, organizationId),
    gte(table.id, firstIdAt(wallTime(`${from}T00:00`, timeZone ?? 'UTC'))),
    withinDays(table.createdAt, { from, to, timeZone }),
    eq(table.currency, currency),
    merchantId === undefined ? undefined : eq(orders.merchantId, merchantId),
    venueId === undefined ? undefined : eq(orders.venueId, venueId),
  )
