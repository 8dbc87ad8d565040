import { z } from 'zod'
import { Family, LimitMode, Period, ScopeType } from './families.ts'

export const LimitOptions = z.object({
  scopeTypes: z.array(ScopeType),
  families: z.array(Family),
  periods: z.array(Period).describe('A week begins on Monday, in the limit’s time zone.'),
  modes: z.array(LimitMode).describe('observe records, soft passes and warns, hard refuses.'),
})
export type LimitOptions = z.output<typeof LimitOptions>
