import { z } from 'zod'
import { Id } from '../ids.ts'
import { Timestamp } from '../time.ts'
import { words } from '../words.ts'

const State = z.enum(['enabled', 'paused', 'disabled'])

/** An address that is told of events. */
export const WebhookEndpoint = z.object({
  id: Id,
  name: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  state: State.describe('`disabled`: the address answered 410 Gone. Enable it again by `PATCH`.'),
  previousSecretEndsAt: Timestamp.nullable().describe('Until then each request is signed by the former secret, too.'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type WebhookEndpoint = z.input<typeof WebhookEndpoint>

/** The same when its secret was made: it is shown this once. */
export const NewWebhookEndpoint = WebhookEndpoint.extend({
  secret: z.string().optional().describe('Verifies the signatures (`whsec_…`, Standard Webhooks). Shown this once.'),
})

const Name = words(100).trim().min(1, 'Give it a name.')
const Url = words(2_000).trim().min(1, 'Enter the address of your server.')
const noEvents = 'Choose at least one event.'
/** A form sends an empty text beside those that are ticked, so that a change to none of them is told. */
const listed = (given: unknown): unknown =>
  typeof given === 'string' || Array.isArray(given) ? [given].flat().filter((type) => type !== '') : given
const Events = z
  .preprocess(listed, z.array(words(100), noEvents))
  .refine((given) => given.length > 0, noEvents)
  .refine((given) => given.length <= 100, 'At most 100.')

export const WebhookDraft = z.object({ name: Name, url: Url, events: Events })
export type WebhookDraft = z.output<typeof WebhookDraft>

export const WebhookChange = z.object({
  id: Id,
  name: Name.optional(),
  url: Url.optional(),
  events: Events.optional(),
  state: z.enum(['enabled', 'paused']).optional(),
})
export type WebhookChange = z.output<typeof WebhookChange>

export const SecretRotation = z.object({
  id: Id,
  overlapHours: z.coerce
    .number()
    .int()
    .min(0, 'At least 0.')
    .max(168, 'At most 168 hours (7 days).')
    .default(24)
    .describe('Hours for which each request is signed by the former secret, too.'),
})

/** One event on its way to one address. */
export const WebhookDelivery = z.object({
  id: Id,
  messageId: Id.describe('Sent as `webhook-id`, the same at every attempt: drop what you have already.'),
  type: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.int(),
  lastStatus: z.int().nullable().describe('Of the last answer; null when there was none.'),
  nextAttemptAt: Timestamp.nullable(),
  createdAt: Timestamp,
  settledAt: Timestamp.nullable(),
})
export type WebhookDelivery = z.input<typeof WebhookDelivery>

/** The same with what was sent and what came back. */
export const WebhookDeliveryDetail = WebhookDelivery.extend({
  body: z.string().describe('What is sent, byte for byte.'),
  log: z
    .array(
      z.object({
        number: z.int(),
        at: Timestamp,
        durationMs: z.int(),
        status: z.int().nullable(),
        answer: z.string().nullable().describe('The beginning of the answer’s body, at most 2,000 characters.'),
        problem: z.string().nullable(),
      }),
    )
    .describe('The newest 20 attempts, newest first.'),
})
export type WebhookDeliveryDetail = z.input<typeof WebhookDeliveryDetail>

/** An event that can be sent. */
export const WebhookEventType = z.object({
  type: z.string(),
  summary: z.string(),
  service: z.string(),
  permission: z.string().describe('What one needs to have it sent.'),
})
export type WebhookEventType = z.output<typeof WebhookEventType>
