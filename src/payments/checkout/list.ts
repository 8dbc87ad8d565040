import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Database } from '#lib/db.ts'
import { byId, type PageOf } from '#lib/paginate.ts'
import type { OrderPayment, PaymentFilter } from '../contract/payments.ts'
import { describePayment } from '../orders/describe.ts'
import { orderPayments } from '../schema.ts'

export async function listPaymentRows(
  db: Database,
  actor: Actor,
  { limit, cursor, orderId, status }: z.output<typeof PaymentFilter>,
): Promise<PageOf<z.input<typeof OrderPayment>>> {
  const slice = byId(orderPayments.id, 'desc').slice({ limit, ...(cursor && { cursor }) })
  const rows = await db
    .select()
    .from(orderPayments)
    .where(
      and(
        eq(orderPayments.organizationId, organizationOf(actor, 'payments:read')),
        orderId === undefined ? undefined : eq(orderPayments.orderId, orderId),
        status && eq(orderPayments.status, status),
        slice.where,
      ),
    )
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.pageBy(rows.map(describePayment), ({ id }) => ({ id }))
}
