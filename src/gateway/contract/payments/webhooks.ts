import { z } from 'zod'
import { listOf } from '#lib/paginate.ts'
import { created, Metadata, ObjectId, Reference, Status, Text } from './fields.ts'

export const PaymentEvent = z.object({
  id: ObjectId,
  type: z.string(),
  apiVersion: Text,
  accountId: Reference.describe('Of a connected account.'),
  object: z.object({ id: Reference, type: z.string() }).describe('What it is about.'),
  pendingWebhooks: z.int().describe('Webhooks that have not been delivered yet.'),
  payload: z.string().describe('The JSON that the provider’s webhook has.'),
  liveMode: z.boolean(),
  ...created,
})

/** Types of events of the objects that payments are made of; `*` is every type of the provider. */
export const WebhookEvent = z.enum([
  '*',
  'checkout.session.async_payment_failed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.completed',
  'checkout.session.expired',
  'payment_intent.amount_capturable_updated',
  'payment_intent.canceled',
  'payment_intent.partially_funded',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.succeeded',
  'charge.captured',
  'charge.expired',
  'charge.failed',
  'charge.pending',
  'charge.refunded',
  'charge.succeeded',
  'charge.updated',
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.dispute.funds_reinstated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.updated',
  'charge.refund.updated',
  'refund.created',
  'refund.failed',
  'refund.updated',
  'payout.canceled',
  'payout.created',
  'payout.failed',
  'payout.paid',
  'payout.updated',
  'transfer.created',
  'transfer.reversed',
  'transfer.updated',
  'customer.subscription.created',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.trial_will_end',
  'customer.subscription.updated',
  'invoice.created',
  'invoice.finalized',
  'invoice.marked_uncollectible',
  'invoice.paid',
  'invoice.payment_action_required',
  'invoice.payment_failed',
  'invoice.updated',
  'invoice.voided',
])

export const ProviderWebhookEndpoint = z.object({
  id: ObjectId,
  url: z.string(),
  status: Status,
  enabledEvents: z.array(z.string()),
  description: Text,
  secret: Text.describe('Signs its events. Only returned when it is created.'),
  liveMode: z.boolean(),
  metadata: Metadata,
  ...created,
})

export const PaymentEventList = listOf(PaymentEvent)
export const ProviderWebhookEndpointList = listOf(ProviderWebhookEndpoint)
