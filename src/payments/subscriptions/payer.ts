import type { z } from 'zod'
import type { SubscriptionPayer } from '../contract/subscriptions.ts'
import { expiryOf } from '../customers/methods/of-customer.ts'
import type { PaymentsWork } from '../work.ts'
import { payerOf, type SubscriptionRow } from './rows.ts'

const unknown = { name: null, email: null, method: null }

/** The customer that the provider charges, and its payment method. @throws {Problem} of the gateway */
export async function readPayer(work: PaymentsWork, row: SubscriptionRow): Promise<z.input<typeof SubscriptionPayer>> {
  const { providerCustomerId: customer, providerSubscriptionId } = row
  if (customer === null) return unknown
  const { payments } = work.gateway
  const payer = payerOf(row)
  const [found, { items: methods }, subscription] = await Promise.all([
    payments.getCustomer({ ...payer, id: customer }),
    payments.listPaymentMethods({ ...payer, customer }),
    providerSubscriptionId === null ? null : payments.getSubscription({ ...payer, id: providerSubscriptionId }),
  ])
  // As the provider chooses: that of the subscription, else of the customer.
  const charged = subscription?.defaultPaymentMethodId ?? found.defaultPaymentMethodId
  const method = methods.find(({ id }) => id === charged)
  return {
    name: found.name,
    email: found.email,
    method: method
      ? {
          type: method.type,
          brand: method.card?.brand ?? null,
          lastFour: method.card?.lastFour ?? null,
          expiry: method.card ? expiryOf(method.card.expYear, method.card.expMonth, work.now()) : null,
        }
      : null,
  }
}
