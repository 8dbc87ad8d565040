import { z } from 'zod'
import { NanoUsd } from './nano-usd.ts'
import { UsageAnomalies } from './usage.ts'

const reportDimensions = ['family', 'application', 'model', 'user', 'apiKey', 'brand', 'certainty'] as const
export const ReportDimension = z.enum(reportDimensions)
export type ReportDimension = z.output<typeof ReportDimension>

const sums = {
  requests: z.int(),
  costNanoUsd: NanoUsd,
  costsNanoUsd: z.array(NanoUsd).describe('Of each day, in the order of days.'),
}

export const UsageReport = z.object({
  groupBy: ReportDimension,
  from: z.iso.date().describe('The first day, in UTC.'),
  to: z.iso.date(),
  days: z.array(z.iso.date()),
  groups: z
    .array(
      z.object({
        key: z.string().nullable().describe('Null for usage without it.'),
        name: z.string().nullable().describe('Of the app or person, if known.'),
        ...sums,
        estimated: z.int().describe('Records of estimated cost, of those that are kept.'),
        suspect: z.int().describe('Records that count the most a request can have cost.'),
      }),
    )
    .describe('Dearest first, at most 50.'),
  others: z.object({ groups: z.int(), ...sums }).nullable(),
  total: z.object({ requests: z.int(), costNanoUsd: NanoUsd }),
  anomalies: UsageAnomalies.shape.items,
})
export type UsageReport = z.output<typeof UsageReport>
