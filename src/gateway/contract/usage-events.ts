import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { plainText } from '#lib/text.ts'
import { Instant } from '#lib/time.ts'
import { Family } from './families.ts'

const name = (maxLength: number) => plainText(maxLength).min(1)
const optionalName = (maxLength: number) => name(maxLength).nullable().default(null)

const maxKeys = 16
const maxBytes = 1024

export const Metadata = z
  .record(name(100), z.union([plainText(500), z.number(), z.boolean(), z.null()]))
  .refine((metadata) => Object.keys(metadata).length <= maxKeys, `Must have at most ${maxKeys} fields.`)
  .refine(
    (metadata) => Buffer.byteLength(JSON.stringify(metadata)) <= maxBytes,
    `Must be at most ${maxBytes} bytes as JSON.`,
  )

const fields = {
  organizationId: Id.optional().describe('Required for services; otherwise the organization of the caller.'),
  applicationId: optionalName(200),
  userId: optionalName(200),
  family: Family,
  provider: name(100),
  model: optionalName(200),
  unit: name(50).describe('What quantity counts, such as request or token.'),
  quantity: z.number().min(0).max(1e12),
  // Sums of many have to stay exact in JSON.
  costNanoUsd: z.int().min(0).max(1e13).default(0).describe('In nano-USD: 1,000,000,000 are $1. At most $10,000.'),
  metadata: Metadata.default({}).describe('Attribution, such as brand and post: at most 16 fields and 1 KiB.'),
}

const RequestId = name(200).describe('Unique in the organization: the same ID is counted once.')

export const UsageEvent = z.strictObject({
  requestId: RequestId,
  ...fields,
  occurredAt: Instant.optional().describe('The time of the report when omitted.'),
})
export type UsageEvent = z.output<typeof UsageEvent>

/** CloudEvents 1.0, with extension attributes. */
export const UsageCloudEvent = z.looseObject({
  specversion: z.literal('1.0'),
  id: RequestId,
  source: name(1000),
  type: name(200),
  subject: z.string().optional(),
  time: Instant.optional(),
  datacontenttype: z
    .string()
    .regex(/^application\/([\w.-]+\+)?json\b/i, 'Must be application/json.')
    .optional(),
  data: z.strictObject(fields),
})

export const maxUsageEvents = 1000

const OneOrMany = <Event extends z.ZodType>(event: Event) => z.union([event, z.array(event).max(maxUsageEvents)])

/** Bodies of a report by media type. */
export const usageBodies = {
  'application/json': OneOrMany(UsageEvent),
  'application/cloudevents+json': UsageCloudEvent,
  'application/cloudevents-batch+json': z.array(UsageCloudEvent).max(maxUsageEvents),
}

export const UsageRejection = z.object({
  index: z.int().describe('The position of the event, from 0.'),
  code: z
    .enum(['invalid', 'conflict', 'too_old', 'in_the_future', 'foreign_organization', 'unknown_organization'])
    .describe('conflict: this requestId was reported with other data.'),
  message: z.string(),
})
export type UsageRejection = z.output<typeof UsageRejection>

export const UsageReceipt = z.object({
  accepted: z.int().describe('New events. They are stored durably.'),
  duplicates: z.int().describe('Events that were already stored. They are not counted again.'),
  rejected: z.array(UsageRejection).describe('They are not stored, and a retry can’t change that.'),
})
export type UsageReceipt = z.output<typeof UsageReceipt>
