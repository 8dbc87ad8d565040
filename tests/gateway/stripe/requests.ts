import type { Stripe } from 'stripe'
/** What Stripe’s SDK lets each request of the gateway have. `params.json` is made of it. */
export interface Requests {
  'POST /v1/customers': Stripe.CustomerCreateParams
  'POST /v1/customers/:id': Stripe.CustomerUpdateParams
  'GET /v1/customers': Stripe.CustomerListParams
  'DELETE /v1/customers/:id': Stripe.CustomerDeleteParams
  'POST /v1/prices': Stripe.PriceCreateParams
  'POST /v1/checkout/sessions': Stripe.Checkout.SessionCreateParams
  'GET /v1/checkout/sessions': Stripe.Checkout.SessionListParams
  'POST /v1/checkout/sessions/:id/expire': Stripe.Checkout.SessionExpireParams
  'GET /v1/payment_links': Stripe.PaymentLinkListParams
  'POST /v1/payment_links': Stripe.PaymentLinkCreateParams
  'POST /v1/payment_links/:id': Stripe.PaymentLinkUpdateParams
  'GET /v1/payment_intents': Stripe.PaymentIntentListParams
  'POST /v1/payment_intents': Stripe.PaymentIntentCreateParams
  'POST /v1/payment_intents/:id/confirm': Stripe.PaymentIntentConfirmParams
  'POST /v1/payment_intents/:id/capture': Stripe.PaymentIntentCaptureParams
  'POST /v1/payment_intents/:id/cancel': Stripe.PaymentIntentCancelParams
  'POST /v1/setup_intents': Stripe.SetupIntentCreateParams
  'POST /v1/setup_intents/:id/cancel': Stripe.SetupIntentCancelParams
  'GET /v1/payment_methods': Stripe.PaymentMethodListParams
  'POST /v1/payment_methods/:id/detach': Stripe.PaymentMethodDetachParams
  'POST /v1/refunds': Stripe.RefundCreateParams
  'GET /v1/refunds': Stripe.RefundListParams
  'POST /v1/refunds/:id/cancel': Stripe.RefundCancelParams
  'POST /v1/transfers': Stripe.TransferCreateParams
  'GET /v1/transfers': Stripe.TransferListParams
  'GET /v1/transfers/:id/reversals': Stripe.TransferListReversalsParams
  'POST /v1/transfers/:id/reversals': Stripe.TransferCreateReversalParams
  'POST /v1/payouts': Stripe.PayoutCreateParams
  'GET /v1/payouts': Stripe.PayoutListParams
  'GET /v1/balance_transactions': Stripe.BalanceTransactionListParams
  'POST /v1/disputes/:id': Stripe.DisputeUpdateParams
  'POST /v1/disputes/:id/close': Stripe.DisputeCloseParams
  'GET /v1/disputes': Stripe.DisputeListParams
  'POST /v1/subscriptions': Stripe.SubscriptionCreateParams
  'POST /v1/subscriptions/:id': Stripe.SubscriptionUpdateParams
  'DELETE /v1/subscriptions/:id': Stripe.SubscriptionCancelParams
  'GET /v1/subscriptions': Stripe.SubscriptionListParams
  'POST /v1/invoices/create_preview': Stripe.InvoiceCreatePreviewParams
  'POST /v1/billing_portal/sessions': Stripe.BillingPortal.SessionCreateParams
  'GET /v1/events': Stripe.EventListParams
  'GET /v1/webhook_endpoints': Stripe.WebhookEndpointListParams
  'POST /v1/webhook_endpoints': Stripe.WebhookEndpointCreateParams
  'DELETE /v1/webhook_endpoints/:id': Stripe.WebhookEndpointDeleteParams
}
