import { z } from 'zod'
import { Id } from '../ids.ts'
import { listOf } from '../paginate.ts'
import { Timestamp } from '../time.ts'
import { plainText } from '../text.ts'

const State = z.enum(['enabled', 'paused', 'disabled'])

export const WebhookEndpoint = z.object({
  id: Id,
  name: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  state: State.describe(
    '`paused`: new events aren’t sent, and waiting deliveries are held. `disabled`: the URL responded with 410 Gone. Enable it again with `PATCH`.',
  ),
  previousSecretEndsAt: Timestamp.nullable().describe(
    'Until then each request is also signed with the previous secret; null when only the current secret is used.',
  ),
  failing: z.boolean().describe('Whether the latest attempted delivery failed.'),
  recent: z
    .object({ delivered: z.int(), total: z.int() })
    .describe('Deliveries of the last 7 days, counted among the latest 1,000.'),
  failed: z.int().describe('Failed deliveries that can be replayed, counted up to 1,001.'),
  lastDeliveryAt: Timestamp.nullable().describe('When the latest delivery was created.'),
  version: z.int().describe('Increases with every change. The `ETag` for `If-Match`.'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type WebhookEndpoint = z.output<typeof WebhookEndpoint>

export const WebhookEndpointList = listOf(WebhookEndpoint)
export type WebhookEndpointList = z.output<typeof WebhookEndpointList>

export const NewWebhookEndpoint = WebhookEndpoint.extend({
  secret: z
    .string()
    .optional()
    .describe('The secret for verifying signatures (`whsec_…`, Standard Webhooks). Only returned here.'),
})

const Name = plainText(100).trim().min(1, 'Enter a name.')
const Url = plainText(2_000).trim().min(1, 'Enter a URL.')
export const noEvents = 'Choose at least one event.'
/** A form adds an empty item to the checked ones, so that a form without any differs from a change that leaves `events` out. */
const dropEmptyItems = (given: unknown): unknown =>
  typeof given === 'string' || Array.isArray(given) ? [given].flat().filter((type) => type !== '') : given
/** An empty list is refused together with a wrong URL, which needs the server's settings. */
const Events = z
  .preprocess(dropEmptyItems, z.array(plainText(100), noEvents))
  .refine((given) => given.length <= 100, 'Must have at most 100 types.')

export const WebhookDraft = z.object({ name: Name, url: Url, events: Events })
export type WebhookDraft = z.output<typeof WebhookDraft>

export const WebhookChange = z.object({
  id: Id,
  name: Name.optional(),
  url: Url.optional(),
  events: Events.optional(),
  state: z.enum(['enabled', 'paused']).optional(),
  version: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('The version that you read; the same as `If-Match`. If it is no longer current, nothing is changed.'),
})
export type WebhookChange = z.output<typeof WebhookChange>

export const SecretRotation = z.object({
  id: Id,
  overlapHours: z.coerce
    .number()
    .int()
    .min(0, 'Must be at least 0.')
    .max(168, 'At most 168 hours (7 days).')
    .default(24)
    .describe('Hours for which each request is also signed with the previous secret.'),
})

export const WebhookDelivery = z.object({
  id: Id,
  messageId: Id.describe('Sent as `webhook-id`, the same for every attempt: ignore IDs that you’ve already received.'),
  type: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.int(),
  lastStatus: z.int().nullable().describe('Status of the last response; null without a response.'),
  nextAttemptAt: Timestamp.nullable().describe(
    'Null when the delivery has succeeded or failed, and while the webhook is paused or the organization is suspended.',
  ),
  createdAt: Timestamp,
  settledAt: Timestamp.nullable(),
})
export type WebhookDelivery = z.output<typeof WebhookDelivery>
export type WebhookDeliveryRow = z.input<typeof WebhookDelivery>

export const WebhookDeliveryList = listOf(WebhookDelivery)
export type WebhookDeliveryList = z.output<typeof WebhookDeliveryList>

export const FailedReplay = z.object({
  replayed: z.int().describe('Deliveries that are sent again: the oldest 500 at most.'),
  remaining: z.int().describe('Failed deliveries that are left, counted up to 1,001.'),
})

export const WebhookDeliveryDetail = WebhookDelivery.extend({
  body: z.string().describe('The exact request body.'),
  log: z
    .array(
      z.object({
        number: z.int(),
        at: Timestamp,
        durationMs: z.int(),
        status: z.int().nullable(),
        answer: z.string().nullable().describe('The response body, truncated to 2,000 characters.'),
        problem: z.string().nullable().describe('Why there was no response, or a note that the URL redirects.'),
      }),
    )
    .describe('The last 20 attempts, newest first.'),
  can: z.object({ replay: z.boolean() }),
})
export type WebhookDeliveryDetail = z.output<typeof WebhookDeliveryDetail>
export type WebhookDeliveryDetailRow = z.input<typeof WebhookDeliveryDetail>

export const WebhookEventType = z.object({
  type: z.string(),
  summary: z.string(),
  service: z.string(),
  permission: z.string().describe('The permission needed to subscribe to it.'),
  can: z.object({ subscribe: z.boolean() }),
})
export type WebhookEventType = z.output<typeof WebhookEventType>
