import { and, asc, eq, inArray, isNotNull, lte, notExists, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { job } from '#lib/job.ts'
import { logFault } from '#lib/log/fault.ts'
import { closeOrder } from '../orders/cancel.ts'
import { ignoreLostAccount } from '../provider-account.ts'
import { invoices, orderPayments, orders } from '../schema.ts'
import { turnOf } from '../turns.ts'
import { nextCheckOf, type PaymentsWork } from '../work.ts'
import { syncPayment } from './sync.ts'

const batch = 100

/** Reads one payment again. News of the provider cause it too; several at once are one. */
export const checkPayment = job({
  name: 'payments.check-payment',
  input: z.object({ paymentId: Id, organizationId: Id, intentId: z.string().optional() }),
  concurrency: 6,
  perTenant: { of: ({ organizationId }) => organizationId, concurrency: 3 },
  retries: 8,
  uniqueBy: ({ paymentId, intentId }) => `${paymentId} ${intentId ?? ''}`,
  run: ({ input, database, ...work }) =>
    syncPayment({ ...work, db: database.db }, input.paymentId, input.intentId).catch(ignoreLostAccount),
})

/** Payments whose state has to be read again: open ones, and those with an unknown outcome. */
export const sweepPayments = job({
  name: 'payments.sweep-payments',
  input: z.object({}),
  retries: 0,
  run: async ({ database, queue, config, now }) => {
    const { db } = database
    const due = await db
      .select({ id: orderPayments.id, organizationId: orderPayments.organizationId, checks: orderPayments.checks })
      .from(orderPayments)
      .where(lte(orderPayments.nextCheckAt, now()))
      .orderBy(turnOf(orderPayments), asc(orderPayments.nextCheckAt))
      .limit(batch)
    for (const { id, organizationId, checks } of due)
      await database.transaction(async (tx) => {
        await tx
          .update(orderPayments)
          .set({
            nextCheckAt: nextCheckOf({ config, now }, checks + 1, { repeat: true }),
          })
          .where(and(eq(orderPayments.id, id), eq(orderPayments.checks, checks)))
        await queue.enqueue(tx, checkPayment, { paymentId: id, organizationId })
      })
  },
})

/** Ends orders whose time is over, unless they were paid or an open invoice asks for them. */
export const expireOrders = job({
  name: 'payments.expire-orders',
  input: z.object({}),
  retries: 0,
  maxSeconds: 600,
  run: async ({ database, ...work }) => {
    const all: PaymentsWork = { ...work, db: database.db }
    const due = await all.db
      .select()
      .from(orders)
      .where(
        and(
          lte(orders.expiresAt, work.now()),
          inArray(orders.status, ['pending', 'requires_action', 'failed']),
          notExists(
            all.db
              .select({ id: invoices.id })
              .from(invoices)
              .where(and(eq(invoices.orderId, orders.id), eq(invoices.kind, 'invoice'), eq(invoices.status, 'open'))),
          ),
          // The customer did their part in time, or it can’t be known.
          notExists(
            all.db
              .select({ id: orderPayments.id })
              .from(orderPayments)
              .where(
                and(
                  eq(orderPayments.orderId, orders.id),
                  or(
                    inArray(orderPayments.status, ['authorized', 'processing']),
                    isNotNull(orderPayments.accountLostAt),
                  ),
                ),
              ),
          ),
        ),
      )
      // Orders that can’t be closed don’t hold up others.
      .orderBy(sql`random()`)
      .limit(batch)
    for (const order of due)
      await closeOrder(all, order, 'expired').catch((error: unknown) =>
        logFault(work.log, 'expiring an order', error, { order: order.id }),
      )
  },
})
