import { z } from 'zod'
import { NanoUsd } from './nano-usd.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { Certainty, Family, Payer } from './families.ts'

/** What usage can be grouped by. `brand` and `post` are fields of the metadata. */
export const usageDimensions = [
  'day',
  'organization',
  'application',
  'apiKey',
  'user',
  'family',
  'provider',
  'model',
  'unit',
  'paidBy',
  'brand',
  'post',
] as const
export const UsageDimension = z.enum(usageDimensions)
export type UsageDimension = z.output<typeof UsageDimension>

const name = z.string().nullable()

export const UsageRecord = z.object({
  id: z.string(),
  occurredAt: Timestamp,
  organizationId: z.string(),
  requestId: z.string(),
  applicationId: name,
  apiKeyId: name,
  userId: name,
  family: Family,
  provider: z.string(),
  model: name,
  unit: z.string(),
  quantity: z.number(),
  costNanoUsd: NanoUsd,
  certainty: Certainty.describe('suspect: the upper bound of a request whose outcome is unknown.'),
  paidBy: Payer.describe(
    'Whose credential was used, or who reported it: limits of the platform count what the platform pays.',
  ),
  priceDate: z.string().nullable().describe('The date from which the applied price is valid.'),
  applicationName: name.describe('If the app is known.'),
  apiKeyName: name,
  userName: name,
  metadata: z.record(z.string(), z.unknown()).nullable(),
  latencyMs: z.int().nullable(),
  status: z.int().nullable(),
})
export type UsageRecord = z.output<typeof UsageRecord>

const totals = {
  count: z.int().describe('Requests.'),
  quantity: z.number().describe('Meaningful within one unit.'),
  costNanoUsd: NanoUsd,
}

const groups = {
  organizationId: name.optional(),
  applicationId: name.optional(),
  apiKeyId: name.optional(),
  userId: name.optional(),
  family: name.optional(),
  provider: name.optional(),
  model: name.optional(),
  unit: name.optional(),
  paidBy: name.optional(),
}

export const UsageGroup = z.object({
  day: name.optional(),
  ...groups,
  brand: name.optional(),
  post: name.optional(),
  ...totals,
})
export type UsageGroup = z.output<typeof UsageGroup>

export const UsageDay = z.object({ day: z.string().describe('In UTC.'), ...groups, ...totals })
export type UsageDay = z.output<typeof UsageDay>

export const UsageList = listOf(z.union([UsageRecord, UsageGroup]))
export const UsageDayList = listOf(UsageDay)

export const UsageAnomalies = z.object({
  items: z.array(
    z.object({
      day: z.iso.date(),
      costNanoUsd: NanoUsd,
      expectedNanoUsd: NanoUsd.describe('The median of the same weekday in the eight weeks before.'),
      direction: z.enum(['above', 'below']),
    }),
  ),
})
export type UsageAnomalies = z.output<typeof UsageAnomalies>
