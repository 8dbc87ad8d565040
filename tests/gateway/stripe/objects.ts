/** Objects as Stripe's API has them, as far as the gateway reads them. */
const created = 1_795_000_000
const shared = { created, livemode: false, metadata: { order: 'o-1' } }

const customer = {
  ...shared,
  id: 'cus_1',
  object: 'customer',
  email: 'c@example.com',
  name: 'Cleo',
  phone: null,
  description: null,
  balance: -150,
  currency: 'eur',
  invoice_settings: { default_payment_method: 'pm_1' },
}

const price = {
  ...shared,
  id: 'price_1',
  object: 'price',
  active: true,
  currency: 'eur',
  product: 'prod_1',
  unit_amount: 350,
  recurring: { interval: 'month', interval_count: 1 },
  tax_behavior: 'inclusive',
  lookup_key: null,
  nickname: null,
}

const session = {
  ...shared,
  id: 'cs_test_1',
  object: 'checkout.session',
  url: 'https://checkout.stripe.com/c/pay/cs_test_1',
  mode: 'payment',
  status: 'open',
  payment_status: 'unpaid',
  currency: 'eur',
  amount_subtotal: 700,
  amount_total: 700,
  customer: { id: 'cus_1', object: 'customer' },
  customer_details: { email: 'c@example.com' },
  customer_email: null,
  payment_intent: 'pi_1',
  setup_intent: null,
  subscription: null,
  client_reference_id: 'o-1',
  expires_at: created + 3600,
}

const link = {
  ...shared,
  id: 'plink_1',
  object: 'payment_link',
  url: 'https://buy.stripe.com/1',
  active: true,
  currency: 'eur',
}

const intent = {
  ...shared,
  id: 'pi_1',
  object: 'payment_intent',
  status: 'requires_action',
  amount: 700,
  amount_capturable: 0,
  amount_received: 0,
  currency: 'eur',
  capture_method: 'automatic',
  client_secret: 'pi_1_secret_1',
  customer: 'cus_1',
  payment_method: 'pm_1',
  latest_charge: null,
  next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'https://bank.example/3ds', return_url: null } },
  last_payment_error: null,
  cancellation_reason: null,
  canceled_at: null,
  description: null,
  transfer_group: null,
}

const setup = {
  ...shared,
  id: 'seti_1',
  object: 'setup_intent',
  status: 'succeeded',
  usage: 'off_session',
  client_secret: 'seti_1_secret_1',
  customer: 'cus_1',
  payment_method: 'pm_1',
  next_action: null,
  last_setup_error: null,
  cancellation_reason: null,
}

const paymentMethod = {
  ...shared,
  id: 'pm_1',
  object: 'payment_method',
  type: 'card',
  customer: 'cus_1',
  card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030, funding: 'credit', country: 'DE' },
  billing_details: { name: 'Cleo', email: 'c@example.com', phone: null, address: null },
}

const refund = {
  ...shared,
  id: 're_1',
  object: 'refund',
  status: 'succeeded',
  amount: 200,
  currency: 'eur',
  reason: 'requested_by_customer',
  charge: 'ch_1',
  payment_intent: 'pi_1',
  balance_transaction: 'txn_1',
  failure_balance_transaction: 'txn_2',
}

const charge = {
  ...shared,
  id: 'ch_1',
  object: 'charge',
  status: 'succeeded',
  amount: 700,
  amount_captured: 700,
  amount_refunded: 0,
  captured: true,
  disputed: false,
  currency: 'eur',
  customer: 'cus_1',
  payment_intent: 'pi_1',
  payment_method: 'pm_1',
  payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242' } },
  balance_transaction: 'txn_1',
  failure_code: null,
  failure_message: null,
  receipt_url: null,
}

const transfer = {
  ...shared,
  id: 'tr_1',
  object: 'transfer',
  amount: 1500,
  amount_reversed: 0,
  reversed: false,
  currency: 'eur',
  destination: 'acct_1',
  source_transaction: null,
  balance_transaction: 'txn_1',
  transfer_group: 'b-77',
  description: null,
}

const reversal = {
  ...shared,
  id: 'trr_1',
  object: 'transfer_reversal',
  amount: 500,
  currency: 'eur',
  transfer: 'tr_1',
  balance_transaction: 'txn_1',
}

const payout = {
  ...shared,
  id: 'po_1',
  object: 'payout',
  status: 'pending',
  amount: 1500,
  currency: 'eur',
  method: 'standard',
  type: 'bank_account',
  automatic: false,
  arrival_date: created + 86_400,
  failure_code: null,
  failure_message: null,
  destination: 'ba_1',
  balance_transaction: 'txn_1',
  failure_balance_transaction: null,
  original_payout: null,
  reversed_by: null,
  statement_descriptor: null,
  description: null,
}

const transaction = {
  ...shared,
  id: 'txn_1',
  object: 'balance_transaction',
  type: 'charge',
  reporting_category: 'charge',
  status: 'pending',
  amount: 700,
  fee: 35,
  net: 665,
  currency: 'eur',
  exchange_rate: null,
  fee_details: [{ type: 'stripe_fee', amount: 35, currency: 'eur', description: 'Fees', application: null }],
  source: 'ch_1',
  description: null,
  available_on: created + 172_800,
}

const dispute = {
  ...shared,
  id: 'dp_1',
  object: 'dispute',
  status: 'needs_response',
  reason: 'fraudulent',
  amount: 700,
  currency: 'eur',
  is_charge_refundable: false,
  charge: 'ch_1',
  payment_intent: 'pi_1',
  balance_transactions: [transaction],
  evidence_details: { due_by: created + 604_800, past_due: false, has_evidence: false, submission_count: 0 },
}

const subscription = {
  ...shared,
  id: 'sub_1',
  object: 'subscription',
  status: 'active',
  customer: 'cus_1',
  currency: 'eur',
  items: {
    object: 'list',
    has_more: false,
    data: [
      {
        id: 'si_1',
        object: 'subscription_item',
        price,
        quantity: 3,
        current_period_start: created,
        current_period_end: created + 2_592_000,
      },
    ],
  },
  cancel_at_period_end: false,
  cancel_at: null,
  canceled_at: null,
  start_date: created,
  ended_at: null,
  trial_end: null,
  latest_invoice: 'in_1',
  default_payment_method: null,
}

const invoice = {
  ...shared,
  id: 'upcoming_in_1',
  object: 'invoice',
  currency: 'eur',
  number: 'AT-1',
  status: 'open',
  billing_reason: 'subscription_cycle',
  customer: 'cus_1',
  parent: { subscription_details: { subscription: 'sub_1' } },
  amount_paid: 0,
  amount_remaining: 1100,
  attempt_count: 1,
  next_payment_attempt: created + 172_800,
  hosted_invoice_url: 'https://invoice.stripe.com/i/1',
  invoice_pdf: null,
  status_transitions: { paid_at: null },
  payments: {
    data: [
      {
        payment: {
          payment_intent: { id: 'pi_1', last_payment_error: { code: 'card_declined', message: 'Declined.' } },
        },
      },
    ],
  },
  subtotal: 1050,
  total: 1250,
  total_taxes: [{ amount: 200 }],
  total_discount_amounts: [],
  amount_due: 1100,
  period_start: created,
  period_end: created + 2_592_000,
  lines: {
    object: 'list',
    has_more: false,
    data: [
      {
        id: 'il_1',
        object: 'line_item',
        description: '3 × seat',
        amount: 1050,
        quantity: 3,
        pricing: { price_details: { price: 'price_1', product: 'prod_1' } },
        parent: { subscription_item_details: { proration: true } },
        period: { start: created, end: created + 2_592_000 },
      },
    ],
  },
}

const portal = {
  ...shared,
  id: 'bps_1',
  object: 'billing_portal.session',
  url: 'https://billing.stripe.com/p/session/1',
  customer: 'cus_1',
  return_url: null,
}

const event = {
  ...shared,
  id: 'evt_1',
  object: 'event',
  type: 'charge.refunded',
  api_version: '2026-10-28.endive',
  account: 'acct_1',
  pending_webhooks: 1,
  data: { object: { id: 'ch_1', object: 'charge' } },
}

const endpoint = {
  ...shared,
  id: 'we_1',
  object: 'webhook_endpoint',
  url: 'https://pay.example/webhooks/stripe?endpoint=1',
  status: 'enabled',
  enabled_events: ['*'],
  description: null,
  secret: 'whsec_1',
}

const balance = {
  object: 'balance',
  livemode: false,
  available: [{ amount: 10_000, currency: 'eur' }],
  pending: [{ amount: 665, currency: 'eur' }],
}

/** By the collection in the path. */
const byCollection: Readonly<Record<string, object>> = {
  customers: customer,
  prices: price,
  'checkout/sessions': session,
  payment_links: link,
  payment_intents: intent,
  setup_intents: setup,
  payment_methods: paymentMethod,
  refunds: refund,
  transfers: transfer,
  payouts: payout,
  balance_transactions: transaction,
  disputes: dispute,
  subscriptions: subscription,
  invoices: invoice,
  'invoices/create_preview': invoice,
  'billing_portal/sessions': portal,
  events: event,
  charges: charge,
  webhook_endpoints: endpoint,
  balance,
  account: { id: 'acct_1', object: 'account' },
}

/** What Stripe answers to a request that succeeds; undefined for a path that it doesn't have. */
export function answerOf(method: string, path: string): object | undefined {
  const [, collection = '', rest] =
    /^\/v1\/((?:checkout|billing_portal)\/\w+|invoices\/create_preview|\w+)(\/.*)?$/.exec(path) ?? []
  if (path.endsWith('/reversals'))
    return method === 'GET' ? { object: 'list', data: [reversal], has_more: true, url: path } : reversal
  if (method === 'DELETE' && collection === 'webhook_endpoints')
    return { id: 'we_1', object: 'webhook_endpoint', deleted: true }
  if (method === 'DELETE' && collection === 'customers') return { id: 'cus_1', object: 'customer', deleted: true }
  const object = byCollection[collection]
  if (!object) return undefined
  const isList = method === 'GET' && rest === undefined && !['balance', 'account'].includes(collection)
  return isList ? { object: 'list', data: [object], has_more: true, url: path } : object
}
