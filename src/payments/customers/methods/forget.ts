import { nullFor404 } from '#lib/errors.ts'
import { listAll, pageAt } from '../../checkout/list-all.ts'
import { isKeyKnown } from '../../provider-keys.ts'
import { providerCustomers } from '../../schema.ts'
import type { PaymentsWork } from '../../work.ts'
import { findAtProvider, rowIs, type ProviderCustomer } from './provider-customers.ts'

/**
 * Deletes a customer with its payment methods at the provider, then our row. @throws {Problem} of the gateway, and while
 * its creation can still take effect
 */
export async function forgetAtProvider(
  work: Pick<PaymentsWork, 'gateway' | 'db' | 'now'>,
  row: ProviderCustomer,
): Promise<void> {
  const { organizationId, accountKey, customerId } = row
  const payer = { organizationId, accountKey }
  const id = row.providerCustomerId ?? (await findAtProvider(work, row))
  if (id === null && isKeyKnown(row.createdAt, work.now()))
    throw new Error(`Customer ${customerId} isn’t at the provider yet, and its creation can still take effect`)
  if (id !== null) await deleteAtProvider(work, { ...payer, id }, customerId)
  await work.db.delete(providerCustomers).where(rowIs(row))
}

/** A customer with its payment methods. @throws {Problem} of the gateway */
export async function deleteAtProvider(
  { gateway: { payments } }: Pick<PaymentsWork, 'gateway'>,
  { id, ...payer }: { organizationId: string; accountKey: string; id: string },
  key: string,
): Promise<void> {
  const methods = await listAll((cursor) =>
    payments.listPaymentMethods({ ...payer, customer: id, ...pageAt(cursor) }),
  ).catch(nullFor404)
  for (const method of methods ?? [])
    await payments.detachPaymentMethod({ ...payer, id: method.id, idempotencyKey: `${key}:${method.id}` })
  await payments.deleteCustomer({ ...payer, id, idempotencyKey: `${key}:${id}` }).catch(nullFor404)
}
