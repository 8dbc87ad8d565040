import { z } from 'zod'

const Step = z.enum(['recovery', 'organization'])

/** DSH-04. */
export const Onboarding = z.object({
  steps: z
    .array(z.object({ step: Step, done: z.boolean() }))
    .describe('In their order. Empty for callers without any.'),
  next: Step.nullable().describe('The first open step; null once everything is done.'),
})
export type Onboarding = z.output<typeof Onboarding>
