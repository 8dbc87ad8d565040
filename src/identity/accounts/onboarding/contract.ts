import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { StepName, StepOutcome } from '../../organizations/onboarding/contract.ts'

/** DSH-04. */
export const OnboardingState = z.object({
  step: z.string(),
  title: z.string(),
  optional: z.boolean(),
  done: z.boolean(),
  skipped: z.boolean().describe('Whether you, or an owner, went on without it.'),
})

export const Onboarding = z.object({
  steps: z.array(OnboardingState).describe('In their order. Empty for callers without any.'),
  next: z.string().nullable().describe('The first step that is neither done nor skipped.'),
  organization: z
    .object({ id: Id, serviceId: Id })
    .nullable()
    .describe('The organization that is set up, and the service whose onboarding an owner completes.'),
  completed: z.boolean().describe('Whether nothing is left to decide or complete.'),
})
export type Onboarding = z.output<typeof Onboarding>

export const OwnStepEdit = z.object({ step: StepName, outcome: StepOutcome })
export type OwnStepEdit = z.output<typeof OwnStepEdit>
