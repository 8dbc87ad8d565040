import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { byId } from '#lib/paginate.ts'
import type { SavedPaymentMethodFilter, SavedPaymentMethodList } from '../../contract/payment-methods.ts'
import { paymentMethods } from '../../schema.ts'
import { mayWrite } from '../list.ts'
import { findCustomer } from '../read.ts'
import { describeMethod } from './of-customer.ts'

type ReadCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity' | 'gateway' | 'now'>

/** Newest first. @throws {Problem} 404 */
export async function listMethods(
  call: ReadCall,
  { id: customerId, limit, cursor }: z.output<typeof SavedPaymentMethodFilter>,
): Promise<z.input<typeof SavedPaymentMethodList>> {
  const { db, actor } = call
  const organizationId = organizationOf(actor, 'customers:read')
  const customer = await findCustomer(db, organizationId, customerId)
  const slice = byId(paymentMethods.id, 'desc').slice({ limit, ...(cursor && { cursor }) })
  const rows = await db
    .select()
    .from(paymentMethods)
    .where(and(eq(paymentMethods.customerId, customerId), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  const { items, nextCursor } = slice.page(rows)
  const [account, canWrite] = await Promise.all([
    items.length > 0 ? readAccount(call, organizationId) : null,
    mayWrite(call),
  ])
  return {
    customerId,
    items: items.map((row) => describeMethod(row, account, call.now())),
    nextCursor,
    can: { add: canWrite && customer.archivedAt === null, update: canWrite && customer.erasedAt === null },
  }
}

const accountMs = 2_000

/** Null while it can’t be read: a charge is refused then anyway. */
const readAccount = ({ gateway }: ReadCall, organizationId: string): Promise<string | null> =>
  gateway.payments.getAccount({ organizationId, signal: AbortSignal.timeout(accountMs) }).then(
    ({ accountKey }) => accountKey,
    () => null,
  )
