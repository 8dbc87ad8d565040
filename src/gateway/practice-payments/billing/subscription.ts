import type { z } from 'zod'
import { emit } from '../store/events.ts'
import { get, insert, update } from '../store/objects.ts'
import { schedule } from '../store/tasks.ts'
import type { Stock } from '../store/types.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { invalidRequest, Refusal } from '../wire/error.ts'
import { mergeMetadata } from '../wire/params.ts'
import { createInvoice, defaultMethod, payInvoice, refuse } from './invoice.ts'
import { addItem, type newItem } from './items.ts'
import { periodLines } from './lines.ts'

type Subscription = Stock['subscription']

export interface SubscriptionFields {
  customer: string
  items: z.output<typeof newItem>[]
  cancel_at_period_end?: boolean
  default_payment_method?: string
  description?: string
  metadata?: Record<string, string> | null
  payment_behavior?: string
  trial_end?: number
}

const day = 86_400

/** With its first invoice, which is paid unless the behavior is `default_incomplete`. @throws {StripeError} */
export async function createSubscription(call: PaymentsCall, fields: SubscriptionFields): Promise<Subscription> {
  const { customer, payment_behavior: behavior = 'allow_incomplete' } = fields
  await get(call, 'customer', customer, 'customer')
  const id = randomId('sub')
  const start = seconds(call.now)
  const trialEnd = fields.trial_end !== undefined && fields.trial_end > start ? fields.trial_end : null
  const items: Subscription['items']['data'] = []
  for (const [at, given] of fields.items.entries()) {
    const item = await addItem(call, given, `items[${at}]`, { subscription: id, start })
    items.push(trialEnd === null ? item : { ...item, current_period_end: trialEnd })
  }
  const currency = items[0]?.price.currency
  if (!currency) throw invalidRequest('Missing required param: items.', 'items', 'parameter_missing')
  if (items.some(({ price }) => price.currency !== currency))
    throw invalidRequest('All prices of a subscription must have the same currency.', 'items')
  const subscription = await insert(
    call,
    'subscription',
    {
      id,
      object: 'subscription',
      application: null,
      application_fee_percent: null,
      automatic_tax: { disabled_reason: null, enabled: false, liability: null },
      billing_cycle_anchor: trialEnd ?? start,
      billing_cycle_anchor_config: null,
      billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
      billing_schedules: [],
      billing_thresholds: null,
      cancel_at: null,
      cancel_at_period_end: fields.cancel_at_period_end ?? false,
      canceled_at: null,
      cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
      collection_method: 'charge_automatically',
      created: start,
      currency,
      customer,
      customer_account: null,
      days_until_due: null,
      default_payment_method: fields.default_payment_method ?? null,
      default_source: null,
      default_tax_rates: [],
      description: fields.description ?? null,
      discounts: [],
      ended_at: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      items: { object: 'list', data: items, has_more: false, url: `/v1/subscription_items?subscription=${id}` },
      latest_invoice: null,
      livemode: false,
      managed_payments: null,
      metadata: mergeMetadata({}, fields.metadata),
      next_pending_invoice_item_invoice: null,
      on_behalf_of: null,
      pause_collection: null,
      payment_settings: {
        payment_method_options: null,
        payment_method_types: null,
        save_default_payment_method: 'off',
      },
      pending_invoice_item_interval: null,
      pending_setup_intent: null,
      pending_update: null,
      schedule: null,
      start_date: start,
      status: trialEnd === null ? 'incomplete' : 'trialing',
      test_clock: null,
      transfer_data: null,
      trial_end: trialEnd,
      trial_settings: { end_behavior: { billing_cycle_anchor: 'now', missing_payment_method: 'create_invoice' } },
      trial_start: trialEnd === null ? null : start,
    },
    { pending: [] },
  )
  const invoice = await createInvoice(call, {
    customer,
    subscription: id,
    lines: await periodLines(call, items, { isTrial: trialEnd !== null }),
    currency,
    reason: 'subscription_create',
    start,
    end: start,
  })
  await update(call, 'subscription', id, { latest_invoice: invoice.id })
  await emit(call, 'customer.subscription.created', subscription)
  if (invoice.status === 'open' && behavior !== 'default_incomplete') {
    const method = await defaultMethod(call, customer, subscription.default_payment_method)
    const paid = await payInvoice(call, invoice, method)
    if (paid instanceof Refusal && behavior === 'error_if_incomplete') refuse(paid)
  }
  await schedule(call, 'renew_subscription', id, ((items[0]?.current_period_end ?? start + day) - start) * 1000)
  return (await get(call, 'subscription', id)).data
}

export const trialEndOf = ({ now }: PaymentsCall, days: number | undefined): number | undefined =>
  days === undefined ? undefined : seconds(now) + days * day
