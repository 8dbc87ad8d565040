import type Stripe from 'stripe'

/** As stored: references are IDs, and decimals are text. */
export type Stored<Resource> = {
  [Key in keyof Resource]: [Extract<Resource[Key], string>] extends [never]
    ? [Extract<Resource[Key], Stripe.Decimal>] extends [never]
      ? Resource[Key]
      : string | null
    : Extract<Resource[Key], string | null | undefined>
}

interface Nested<Item> {
  object: 'list'
  data: Item[]
  has_more: boolean
  url: string
}

export type SubscriptionItem = Omit<Stored<Stripe.SubscriptionItem>, 'plan' | 'price'> & {
  plan: Stored<Stripe.Plan>
  price: Stored<Stripe.Price>
}

export type InvoiceLine = Omit<Stored<Stripe.InvoiceLineItem>, 'pricing'> & {
  pricing: {
    type: 'price_details'
    price_details: { price: string; product: string }
    unit_amount_decimal: string | null
  }
}

export interface Stock {
  'billing_portal.session': Stored<Stripe.BillingPortal.Session>
  invoice: Omit<Stored<Stripe.Invoice>, 'lines'> & { lines: Nested<InvoiceLine> }
  subscription: Omit<Stored<Stripe.Subscription>, 'items'> & { items: Nested<SubscriptionItem> }
  account: Stripe.Account
  balance_transaction: Stored<Stripe.BalanceTransaction>
  charge: Stored<Stripe.Charge>
  customer: Stored<Stripe.Customer>
  dispute: Stored<Stripe.Dispute>
  event: StoredEvent
  payment_intent: Stored<Stripe.PaymentIntent>
  payment_method: Stored<Stripe.PaymentMethod>
  price: Stored<Stripe.Price>
  product: Stored<Stripe.Product>
  refund: Stored<Stripe.Refund>
  setup_intent: Stored<Stripe.SetupIntent>
  webhook_endpoint: Stripe.WebhookEndpoint
  'checkout.session': Stored<Stripe.Checkout.Session>
  payment_link: Stored<Stripe.PaymentLink>
  payout: Stored<Stripe.Payout>
  topup: Stored<Stripe.Topup>
  transfer: Stored<Stripe.Transfer>
  transfer_reversal: Stored<Stripe.TransferReversal>
}

export type ObjectType = keyof Stock

interface StoredEvent {
  id: string
  object: 'event'
  account?: string
  api_version: string | null
  created: number
  data: { object: object; previous_attributes?: object }
  livemode: boolean
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null } | null
  type: string
}

/** In messages, such as “No such customer”. */
export const nounOf = (type: ObjectType): string => type.replaceAll(/[._]/g, ' ')
