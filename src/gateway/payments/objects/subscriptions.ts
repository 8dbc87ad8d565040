import type { Stripe } from 'stripe'
import type { z } from 'zod'
import type { PaymentPrice, PaymentSubscription } from '../../contract/payments.ts'
import { codeOf, idOf, optionalTime, requiredId, timeOf } from './parts.ts'

export const describePrice = (price: Stripe.Price): z.input<typeof PaymentPrice> => ({
  id: price.id,
  productId: requiredId(price.product),
  active: price.active,
  currency: codeOf(price.currency),
  unitAmount: price.unit_amount,
  recurring: price.recurring && {
    interval: price.recurring.interval,
    intervalCount: price.recurring.interval_count,
  },
  taxBehavior: price.tax_behavior,
  lookupKey: price.lookup_key,
  nickname: price.nickname,
  metadata: price.metadata,
  createdAt: timeOf(price.created),
})

export const describeSubscription = (subscription: Stripe.Subscription): z.input<typeof PaymentSubscription> => ({
  id: subscription.id,
  status: subscription.status,
  customerId: requiredId(subscription.customer),
  currency: codeOf(subscription.currency),
  items: subscription.items.data.map((item) => ({
    id: item.id,
    priceId: item.price.id,
    productId: requiredId(item.price.product),
    quantity: item.quantity ?? null,
    currentPeriodStartsAt: timeOf(item.current_period_start),
    currentPeriodEndsAt: timeOf(item.current_period_end),
  })),
  cancelAtPeriodEnd: subscription.cancel_at_period_end,
  cancelAt: optionalTime(subscription.cancel_at),
  canceledAt: optionalTime(subscription.canceled_at),
  startedAt: timeOf(subscription.start_date),
  endedAt: optionalTime(subscription.ended_at),
  trialEndsAt: optionalTime(subscription.trial_end),
  latestInvoiceId: idOf(subscription.latest_invoice),
  defaultPaymentMethodId: idOf(subscription.default_payment_method),
  metadata: subscription.metadata,
  createdAt: timeOf(subscription.created),
})
