import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { Milestones } from '#views/identity/onboarding/milestones.tsx'
import { Onboarding, OwnStepEdit } from './contract.ts'
import { findOnboarding, saveOwnStep } from './onboarding.ts'

export const getOnboarding = operation({
  route: 'GET /api/auth/me/onboarding',
  summary: 'Get the steps of your onboarding',
  permission: 'signed-in',
  personal: false,
  input: z.object({}),
  output: Onboarding,
  run: (call) => findOnboarding(call),
  view: ({ steps, next }) => <Milestones steps={steps} current={next} />,
})

export const updateOwnOnboardingStep = operation({
  route: 'PUT /api/auth/me/onboarding/:step',
  summary: 'Update a step of your own onboarding',
  permission: 'signed-in',
  input: OwnStepEdit,
  output: Onboarding,
  example: { outcome: 'skipped' },
  problems: { step_required: 409 },
  run: async (call) => reply(200, await saveOwnStep(call, call.input), { next: '/onboarding' }),
})
