import { z } from 'zod'
import { NanoUsd } from './nano-usd.ts'
import { LimitMode } from './families.ts'

/** What a month costs so far. */
export const Spending = z.object({
  from: z.iso.date().describe('The first day of the month, in UTC.'),
  to: z.iso.date().describe('Its last day.'),
  spentNanoUsd: NanoUsd,
  forecastNanoUsd: NanoUsd.describe('At the end of the month, when spending goes on like this.'),
  reservedNanoUsd: NanoUsd.describe('What running requests can still cost.'),
  runningRequests: z.int(),
  requests: z.int(),
  budget: z
    .object({ limitNanoUsd: NanoUsd, mode: LimitMode })
    .nullable()
    .describe('The organization’s monthly limit for everything; the lowest one if the platform has set another.'),
  previous: z.object({ spentNanoUsd: NanoUsd, requests: z.int() }).describe('The whole month before.'),
  posts: z
    .object({ count: z.int(), costNanoUsd: NanoUsd })
    .describe('Posts that requests were attributed to, and their cost.'),
})
export type Spending = z.output<typeof Spending>
