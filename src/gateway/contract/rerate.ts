import { z } from 'zod'
import { NanoUsd } from './nano-usd.ts'
import { plainText } from '#lib/text.ts'
import { Day, Timestamp } from '#lib/time.ts'

export const RerateRequest = z.object({
  provider: plainText(100).min(1),
  model: plainText(200).min(1),
  from: Day.describe('The first day, in UTC.'),
  to: Day.describe('The last day, in UTC.'),
  organizationId: z.guid().optional().describe('All organizations when omitted.'),
  dryRun: z.boolean().default(false).describe('Only computes the differences.'),
  cursor: z.string().max(500).optional(),
})

const Difference = z.object({ limitId: z.string(), periodStart: Timestamp, amountNanoUsd: NanoUsd })

export const RerateResult = z.object({
  records: z.int().describe('Records that were looked at.'),
  changed: z.int().describe('Those whose cost changed.'),
  unpriced: z.int().describe('Those of a day for which there is no price.'),
  days: z.int().describe('Daily totals without records, changed in proportion.'),
  differenceNanoUsd: NanoUsd,
  budgetDifferences: z
    .array(Difference)
    .describe('Not added to counters: the period is over, or a hard limit would be reopened.'),
  nextCursor: z.string().nullable().describe('Not null: more records follow. Repeat the request with it.'),
})
export type RerateResult = z.output<typeof RerateResult>
