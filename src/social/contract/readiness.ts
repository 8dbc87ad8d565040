import { z } from 'zod'
import { Timestamp } from '#lib/time.ts'

export const ReadinessState = z.enum(['ready', 'warning', 'problem'])

const ReadinessReason = z.object({
  code: z.string(),
  state: z.enum(['warning', 'problem']),
  message: z.string(),
  href: z.string().nullable().describe('The page where people can solve it; null when it is the post’s own.'),
})
export type ReadinessReason = z.output<typeof ReadinessReason>

/** Whether a scheduled post will be published at its time, by what is known now (SOC-15). */
export const Readiness = z.object({
  state: ReadinessState,
  reasons: z.array(ReadinessReason).describe('The most severe first; empty when the post is ready.'),
  checkedAt: Timestamp.nullable().describe('When it was last checked; null before the first check.'),
})
export type Readiness = z.output<typeof Readiness>
