import { and, eq, isNotNull } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { conflict, invalid } from '#lib/errors.ts'
import { paymentMethods, providerCustomers, type orders } from '../../schema.ts'

type OrderRow = typeof orders.$inferSelect

/**
 * The saved payment method that an order is charged to. @throws {Problem} 422 for one that isn’t of the order’s customer,
 * 409 for one of another account at the provider
 */
export async function chooseMethod(tx: Database, order: OrderRow, methodId: string, accountKey: string) {
  const [found] = await tx
    .select({ method: paymentMethods, providerCustomerId: providerCustomers.providerCustomerId })
    .from(paymentMethods)
    .innerJoin(
      providerCustomers,
      and(
        eq(providerCustomers.customerId, paymentMethods.customerId),
        eq(providerCustomers.accountKey, paymentMethods.accountKey),
        isNotNull(providerCustomers.providerCustomerId),
      ),
    )
    .where(and(eq(paymentMethods.id, methodId), eq(paymentMethods.organizationId, order.organizationId)))
  if (!found || order.customerId === null || found.method.customerId !== order.customerId)
    throw invalid([{ path: 'paymentMethodId', message: 'Must be a saved payment method of the order’s customer.' }])
  const { method, providerCustomerId } = found
  if (method.accountKey !== accountKey)
    throw conflict(
      'payment_method_account',
      'This payment method was saved at another account at the payment provider. Ask the customer to save it again, or store the key of that account.',
    )
  return {
    providerCustomerId,
    providerPaymentMethodId: method.providerPaymentMethodId,
    cardBrand: method.brand,
    cardLastFour: method.lastFour,
  }
}
