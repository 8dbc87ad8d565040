import { z } from 'zod'
import { dayRange } from '#lib/days.ts'
import { Id } from '#lib/ids.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'

export const ProviderEventState = z.enum(['waiting', 'processed', 'failed', 'ignored'])
export type ProviderEventState = z.output<typeof ProviderEventState>

export const ReceivedProviderEvent = z.object({
  id: Id,
  eventId: z.string().describe('The payment provider’s ID of the event.'),
  type: z.string().nullable(),
  objectId: z.string().nullable().describe('The payment provider’s ID of what it is about.'),
  state: ProviderEventState.describe(
    '`failed`: it is retried. `ignored`: it is about nothing of this service, and stored.',
  ),
  problem: z.string().nullable().describe('Why it failed.'),
  duplicates: z.int().describe('Deliveries after the first one, which were not processed again.'),
  attempts: z.int(),
  receivedAt: Timestamp,
  settledAt: Timestamp.nullable(),
})
export type ReceivedProviderEvent = z.output<typeof ReceivedProviderEvent>

export const ReceivedProviderEventDetails = ReceivedProviderEvent.extend({
  payload: z.string().describe('As it was received.'),
  attemptLog: z
    .array(z.object({ number: z.int(), at: z.iso.datetime(), problem: z.string().nullable() }))
    .describe('The last 20 attempts, the oldest first.'),
  can: z.object({ replay: z.boolean() }),
})
export type ReceivedProviderEventDetails = z.output<typeof ReceivedProviderEventDetails>

export const ProviderEventFilter = z.object({
  state: optionalField(z.enum([...ProviderEventState.options, 'duplicate'])).describe(
    'duplicate: delivered more than once.',
  ),
  type: optionalField(plainText(255).trim().min(1)),
  q: optionalField(plainText(255).trim().min(1)).describe('The provider’s ID of the object.'),
  ...dayRange,
  ...paging,
})
export type ProviderEventFilter = z.output<typeof ProviderEventFilter>

export const ReceivedProviderEventList = listOf(ReceivedProviderEvent).extend({
  counts: z
    .object({
      all: z.int(),
      waiting: z.int(),
      processed: z.int(),
      failed: z.int(),
      ignored: z.int(),
      duplicates: z.int().describe('Repeated deliveries.'),
    })
    .describe('Of the last 90 days, regardless of filters.'),
  rejected: z.int().describe('Requests with an invalid signature in the last 24 hours, which weren’t stored.'),
  can: z.object({ replay: z.boolean() }),
})
export type ReceivedProviderEventList = z.output<typeof ReceivedProviderEventList>

export const ReplayedEvents = z.object({
  replayed: z.int(),
  remaining: z.int().describe('Failed events that are left. Send the request again to replay them.'),
})

export const LostEvents = z.object({ found: z.int().describe('Events that were never delivered and are stored now.') })

export const ProviderEndpoint = z.object({
  id: Id,
  own: z.boolean().describe('Of the organization’s own account at the provider; else the platform’s.'),
  provider: z.enum(['stripe', 'practice']),
  mode: z.enum(['live', 'test']),
  scope: z
    .enum(['account', 'connect'])
    .describe('account: events of the account itself. connect: of the accounts connected to it.'),
  url: z.string(),
  hasSecret: z.boolean(),
  previousSecretEndsAt: Timestamp.nullable().describe('Until then the previous secret is valid, too.'),
  createdAt: Timestamp,
  lastEventAt: Timestamp.nullable(),
})
export type ProviderEndpoint = z.output<typeof ProviderEndpoint>

export const ProviderEndpoints = z.object({
  items: z.array(ProviderEndpoint),
  can: z.object({
    update: z.boolean(),
    register: z
      .boolean()
      .describe('Register endpoints and find lost events, at the account that payments are made with.'),
  }),
})
export type ProviderEndpoints = z.output<typeof ProviderEndpoints>

export const EndpointRegistration = z.object({
  register: z
    .boolean()
    .default(true)
    .describe('false: only reserves the URLs, for endpoints that you create at the provider yourself.'),
})

const maxOverlapHours = 72

export const EndpointSecret = z.object({
  id: Id,
  secret: z
    .string()
    .trim()
    .regex(/^whsec_[\w+/=-]{16,200}$/, 'Must be a signing secret, such as whsec_….'),
  overlapHours: z.coerce
    .number()
    .int()
    .min(0)
    .max(maxOverlapHours)
    .default(24)
    .describe('Hours for which events that are signed with the previous secret are accepted, too.'),
})
export type EndpointSecret = z.output<typeof EndpointSecret>
