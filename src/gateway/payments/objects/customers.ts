import type { Stripe } from 'stripe'
import type { z } from 'zod'
import type { BillingPortalSession, PaymentCustomer, PaymentMethod } from '../../contract/payments.ts'
import { idOf, optionalCode, timeOf } from './parts.ts'

export function describeCustomer(customer: Stripe.Customer | Stripe.DeletedCustomer): z.input<typeof PaymentCustomer> {
  if (customer.deleted) return deletedCustomer(customer.id)
  const { id, email, name, phone, description, balance, currency, metadata, created } = customer
  return {
    id,
    email,
    name: name ?? null,
    phone: phone ?? null,
    description,
    balance,
    currency: optionalCode(currency),
    defaultPaymentMethodId: idOf(customer.invoice_settings?.default_payment_method),
    metadata,
    deleted: false,
    createdAt: timeOf(created),
  }
}

/** The provider keeps nothing but the ID. */
const deletedCustomer = (id: string): z.input<typeof PaymentCustomer> => ({
  id,
  email: null,
  name: null,
  phone: null,
  description: null,
  balance: 0,
  currency: null,
  defaultPaymentMethodId: null,
  metadata: {},
  deleted: true,
  createdAt: timeOf(0),
})

export const describePaymentMethod = ({
  id,
  type,
  customer,
  card,
  billing_details: billing,
  metadata,
  created,
}: Stripe.PaymentMethod): z.input<typeof PaymentMethod> => ({
  id,
  type,
  customerId: idOf(customer),
  card: card
    ? {
        brand: card.brand,
        lastFour: card.last4,
        expMonth: card.exp_month,
        expYear: card.exp_year,
        funding: card.funding,
        country: card.country,
      }
    : null,
  billingName: billing?.name ?? null,
  billingEmail: billing?.email ?? null,
  metadata: metadata ?? {},
  createdAt: timeOf(created),
})

export const describePortalSession = ({
  id,
  url,
  customer,
  return_url: returnUrl,
  created,
}: Stripe.BillingPortal.Session): z.input<typeof BillingPortalSession> => ({
  id,
  url,
  customerId: customer,
  returnUrl,
  createdAt: timeOf(created),
})
