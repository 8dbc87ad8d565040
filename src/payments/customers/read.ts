import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import type { CustomerDetails } from '../contract/customers.ts'
import { describePayment } from '../orders/describe.ts'
import { listOrderRows } from '../orders/list.ts'
import { customers, disputes, orderPayments, orders } from '../schema.ts'
import { describeCustomers, type CustomerRow } from './describe.ts'
import { mayWrite } from './list.ts'

const latest = 10

/** @throws {Problem} 404 */
export async function findCustomer(db: Database, organizationId: string, id: string): Promise<CustomerRow> {
  const [row] = await db
    .select()
    .from(customers)
    .where(and(eq(customers.id, id), eq(customers.organizationId, organizationId)))
  if (!row) throw notFound('customer')
  return row
}

/** @throws {Problem} 404 */
export async function readCustomer(
  call: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity'>,
  id: string,
): Promise<z.input<typeof CustomerDetails>> {
  const { db, actor } = call
  const row = await findCustomer(db, organizationOf(actor, 'customers:read'), id)
  const [[customer], { items }, open] = await Promise.all([
    describeCustomers(db, [row], await mayWrite(call)),
    listOrderRows(db, actor, { customerId: id, limit: latest }),
    db.$count(
      db
        .select({ id: disputes.id })
        .from(disputes)
        .innerJoin(orders, eq(orders.id, disputes.orderId))
        .where(and(eq(orders.customerId, id), isNull(disputes.closedAt)))
        .as('open'),
    ),
  ])
  if (!customer) throw notFound('customer')
  const payments = await db
    .select()
    .from(orderPayments)
    .where(
      inArray(
        orderPayments.orderId,
        items.map((order) => order.id),
      ),
    )
    .orderBy(desc(orderPayments.id))
    .limit(latest)
  return { ...customer, latestOrders: items, latestPayments: payments.map(describePayment), openDisputes: open }
}
