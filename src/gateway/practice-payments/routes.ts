import { accountRoutes } from './balance/accounts.ts'
import { balanceRoutes } from './balance/balance.ts'
import { payoutRoutes } from './balance/payouts.ts'
import { topupRoutes } from './balance/topups.ts'
import { balanceTransactionRoutes } from './balance/transactions.ts'
import { transferRoutes } from './balance/transfers.ts'
import { invoiceRoutes } from './billing/invoices.ts'
import { portalRoutes } from './billing/portal.ts'
import { subscriptionRoutes } from './billing/subscriptions.ts'
import { customerRoutes } from './catalog/customers.ts'
import { priceRoutes } from './catalog/prices.ts'
import { productRoutes } from './catalog/products.ts'
import { paymentLinkRoutes } from './checkout/payment-links.ts'
import { sessionRoutes } from './checkout/sessions.ts'
import { eventRoutes } from './hooks/events.ts'
import { webhookEndpointRoutes } from './hooks/webhook-endpoints.ts'
import { chargeRoutes } from './payments/charges.ts'
import { disputeRoutes } from './payments/disputes.ts'
import { paymentIntentRoutes } from './payments/payment-intents.ts'
import { paymentMethodRoutes } from './payments/payment-methods.ts'
import { refundRoutes } from './payments/refunds.ts'
import { setupIntentRoutes } from './payments/setup-intents.ts'
import type { Route } from './wire/route.ts'

export const routes: readonly Route[] = [
  ...accountRoutes,
  ...balanceRoutes,
  ...balanceTransactionRoutes,
  ...chargeRoutes,
  ...customerRoutes,
  ...disputeRoutes,
  ...eventRoutes,
  ...invoiceRoutes,
  ...paymentIntentRoutes,
  ...paymentLinkRoutes,
  ...paymentMethodRoutes,
  ...payoutRoutes,
  ...portalRoutes,
  ...priceRoutes,
  ...productRoutes,
  ...refundRoutes,
  ...sessionRoutes,
  ...setupIntentRoutes,
  ...subscriptionRoutes,
  ...topupRoutes,
  ...transferRoutes,
  ...webhookEndpointRoutes,
]
