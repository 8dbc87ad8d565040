import { find } from '../store/objects.ts'
import type { InvoiceLine, Stock } from '../store/types.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'

type Invoice = Stock['invoice']

export interface InvoiceFacts {
  customer: string
  /** Null for a preview of a new subscription. */
  subscription: string | null
  lines: InvoiceLine[]
  currency: string
  reason: Invoice['billing_reason']
  start: number
  end: number
}

/** An invoice that is not stored. A credit of the customer reduces what is due. */
export async function draftInvoice(call: PaymentsCall, facts: InvoiceFacts, id = randomId('in')): Promise<Invoice> {
  const { lines } = facts
  const customer = (await find(call, 'customer', facts.customer))?.data
  const total = lines.reduce((sum, { amount }) => sum + amount, 0)
  const credit = customer?.balance ?? 0
  const due = Math.max(total + credit, 0)
  const subscription = facts.subscription ? await find(call, 'subscription', facts.subscription, 'read') : null
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Practice',
    account_tax_ids: null,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: facts.reason,
    collection_method: 'charge_automatically',
    created: seconds(call.now),
    currency: facts.currency,
    custom_fields: null,
    customer: facts.customer || null,
    customer_account: null,
    customer_address: customer?.address ?? null,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_phone: customer?.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: Math.min(total + credit, 0),
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: {
      object: 'list',
      data: lines.map((line) => ({ ...line, invoice: id })),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: facts.subscription
        ? { metadata: subscription?.data.metadata ?? {}, subscription: facts.subscription }
        : null,
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: facts.end,
    period_start: facts.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: credit,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    subtotal_excluding_tax: total,
    test_clock: null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  }
}
