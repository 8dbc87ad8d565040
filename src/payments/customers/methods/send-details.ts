import { and, eq } from 'drizzle-orm'
import { newId } from '#lib/ids.ts'
import { customers, paymentMethods, providerCustomers } from '../../schema.ts'
import type { PaymentsWork } from '../../work.ts'
import { rowIs, type KnownCustomer } from './provider-customers.ts'
import { ownOf } from './read-methods.ts'

type CustomerRow = typeof customers.$inferSelect

/** The provider takes at most so many characters of a phone number. */
const maxPhone = 20
const maxRounds = 8

/**
 * Sends name, email, phone, address and the default payment method if they changed, until the newest were sent last.
 * @throws {Problem} of the gateway
 */
export async function sendDetails(work: PaymentsWork, row: KnownCustomer): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1) if (!(await sendOnce(work, row))) return
}

/** False when there is nothing to send. */
async function sendOnce({ db, gateway }: PaymentsWork, row: KnownCustomer): Promise<boolean> {
  const [found] = await db
    .select({ customer: customers, sentVersion: providerCustomers.sentVersion, method: paymentMethods })
    .from(providerCustomers)
    .innerJoin(customers, eq(customers.id, providerCustomers.customerId))
    .leftJoin(paymentMethods, and(ownOf(row), eq(paymentMethods.isDefault, true)))
    .where(rowIs(row))
  if (!found || found.customer.erasedAt || found.sentVersion === found.customer.version) return false
  const { customer, method } = found
  const { organizationId, accountKey, providerCustomerId: id } = row
  await gateway.payments.updateCustomer({
    organizationId,
    accountKey,
    id,
    // What was sent before can be sent again, after something else.
    idempotencyKey: newId(),
    ...detailsOf(customer),
    ...(method && { defaultPaymentMethod: method.providerPaymentMethodId }),
  })
  await db.update(providerCustomers).set({ sentVersion: customer.version }).where(rowIs(row))
  return true
}

/** The provider can’t unset a name, email address or phone number. */
const detailsOf = ({ name, email, phone, address }: CustomerRow) => ({
  name: name ?? email ?? undefined,
  email: email ?? undefined,
  phone: phone !== null && phone.length <= maxPhone ? phone : undefined,
  address: address && {
    line1: address.line1 ?? undefined,
    line2: address.line2 ?? undefined,
    city: address.city ?? undefined,
    state: address.region ?? undefined,
    postalCode: address.postalCode ?? undefined,
    country: address.country ?? undefined,
  },
})
