import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { OnboardingRef, OnboardingStepEdit, OrganizationOnboarding } from './contract.ts'
import {
  completeOrganizationOnboarding as complete,
  readOrganizationOnboarding,
  saveOrganizationStep,
} from './organization-onboarding.ts'

export const getOrganizationOnboarding = operation({
  route: 'GET /api/organizations/:id/services/:serviceId/onboarding',
  summary: 'Get an organization’s onboarding of a service',
  permission: 'role:owner',
  input: OnboardingRef,
  output: OrganizationOnboarding,
  run: (call) => readOrganizationOnboarding(call, call.input),
})

export const updateOnboardingStep = operation({
  route: 'PUT /api/organizations/:id/services/:serviceId/onboarding/:step',
  summary: 'Update an onboarding step of an organization',
  permission: 'role:owner',
  input: OnboardingStepEdit,
  output: OrganizationOnboarding,
  example: { outcome: 'skipped' },
  problems: { onboarding_completed: 409, too_many_steps: 409 },
  run: async (call) => reply(200, await saveOrganizationStep(call, call.input), { next: '/onboarding' }),
})

export const completeOrganizationOnboarding = operation({
  route: 'POST /api/organizations/:id/services/:serviceId/onboarding/complete',
  summary: 'Complete an organization’s onboarding of a service',
  permission: 'role:owner',
  input: OnboardingRef,
  output: OrganizationOnboarding,
  run: async (call) => reply(200, await complete(call, call.input), { next: '/' }),
})
