import { z } from 'zod'
import { NanoUsd } from './nano-usd.ts'

const Sum = z.object({ count: z.int(), costNanoUsd: NanoUsd })

const name = z.string().nullable()

export const UsageDifference = z.object({
  kind: z
    .enum(['request_ids', 'daily', 'budget'])
    .describe('request_ids: of a day’s records. daily: a daily total. budget: the counter of a limit.'),
  organizationId: name,
  day: name,
  family: name,
  provider: name,
  model: name,
  unit: name,
  applicationId: name,
  apiKeyId: name,
  userId: name,
  paidBy: name,
  limitId: name,
  periodStart: name,
  expected: Sum.describe('From the records.'),
  stored: Sum,
})
export type UsageDifference = z.output<typeof UsageDifference>

export const UsageVerification = z.object({
  agrees: z.boolean(),
  from: z.iso.date().describe('The first day, in UTC: not before the oldest kept record.'),
  to: z.iso.date(),
  rows: z.int().describe('Records that were read.'),
  raw: Sum,
  daily: Sum,
  budgets: Sum.describe('Budget periods whose records are all kept, and their counters’ sum.'),
  writtenOffNanoUsd: NanoUsd.describe(
    'What these budgets count besides: a server crashed, and can have spent it on calls of its last milliseconds.',
  ),
  differences: z.array(UsageDifference).describe('The first 100.'),
})
export type UsageVerification = z.output<typeof UsageVerification>
