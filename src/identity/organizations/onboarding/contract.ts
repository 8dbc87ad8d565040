import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'

export const StepOutcome = z.enum(['done', 'skipped'])

export const StepName = z
  .string()
  .regex(/^[a-z][a-z-]{0,31}$/, 'Must be the name of a step: up to 32 lowercase letters and hyphens.')

/** How far an organization came in setting up a service. */
export const OrganizationOnboarding = z.object({
  organizationId: Id,
  serviceId: Id,
  steps: z.record(z.string(), StepOutcome).describe('The outcome of each step that an owner finished or skipped.'),
  completedAt: Timestamp.nullable().describe('Null until an owner completed it.'),
})
export type OrganizationOnboarding = z.output<typeof OrganizationOnboarding>

/** As the identity client reads it. */
export const ReceivedOnboarding = z.object({ steps: z.record(z.string(), StepOutcome) })

export const OnboardingRef = z.object({ id: Id, serviceId: Id })
export type OnboardingRef = z.output<typeof OnboardingRef>

export const OnboardingStepEdit = OnboardingRef.extend({ step: StepName, outcome: StepOutcome })
export type OnboardingStepEdit = z.output<typeof OnboardingStepEdit>
