import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { byId } from '#lib/paginate.ts'
import type { PaymentMethodFilter, PaymentMethodList } from '../../contract/payment-methods.ts'
import { paymentMethods } from '../../schema.ts'
import { mayWrite } from '../list.ts'
import { findCustomer } from '../read.ts'

type MethodRow = typeof paymentMethods.$inferSelect
type ReadCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity' | 'gateway' | 'now'>

/** Newest first. @throws {Problem} 404 */
export async function listMethods(
  call: ReadCall,
  { id: customerId, limit, cursor }: z.output<typeof PaymentMethodFilter>,
): Promise<z.input<typeof PaymentMethodList>> {
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

const soonMs = 60 * 86_400_000

export const describeMethod = (
  row: MethodRow,
  account: string | null,
  now: Date,
): z.input<typeof PaymentMethodList>['items'][number] => ({
  ...row,
  expiry:
    row.expiryMonth === null || row.expiryYear === null
      ? null
      : { month: row.expiryMonth, year: row.expiryYear, state: expiryStateOf(row.expiryYear, row.expiryMonth, now) },
  isUsable: account === null ? null : row.accountKey === account,
})

/** A card can be used until the end of its month. */
function expiryStateOf(year: number, month: number, now: Date): 'valid' | 'soon' | 'expired' {
  const endsAt = Date.UTC(year, month)
  if (endsAt <= now.getTime()) return 'expired'
  return endsAt - now.getTime() < soonMs ? 'soon' : 'valid'
}
