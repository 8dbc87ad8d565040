import type { OnboardingStep } from '#lib/onboarding-step.ts'
import { inviteStep } from '../../organizations/onboarding/invite.step.tsx'
import { organizationStep } from '../../organizations/onboarding/organization.step.tsx'
import { recoveryStep } from './recovery.step.tsx'

export const identitySteps: readonly OnboardingStep[] = [recoveryStep, organizationStep, inviteStep]
