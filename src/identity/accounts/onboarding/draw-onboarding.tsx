import { notFound } from '#lib/errors.ts'
import type { StepCall, StepFrame } from '#lib/onboarding-step.ts'
import type { Onboarding } from './contract.ts'

const path = '/onboarding'
const hrefOf = (step: string | undefined) => (step === undefined ? path : `${path}?step=${step}`)

/** The named step if it was reached, else the first open one; nothing once all are decided. */
export async function drawStep(call: StepCall, onboarding: Onboarding, named?: string) {
  const { steps, next } = onboarding
  const open = next === null ? steps.length : steps.findIndex(({ step }) => step === next)
  const wanted = steps.findIndex(({ step }) => step === named)
  const at = wanted >= 0 && wanted <= open ? wanted : open
  const state = steps[at]
  if (!state) return { current: null, content: null }
  const declared = call.onboardingSteps.find(({ step }) => step === state.step)
  if (!declared) throw notFound('step')
  const frame: StepFrame = {
    back: at > 0 ? hrefOf(steps[at - 1]?.step) : null,
    skip: state.optional && !state.done ? skipHref(onboarding, declared) : null,
    next: at < open ? hrefOf(at + 1 < open ? steps[at + 1]?.step : undefined) : path,
  }
  return { current: state.step, content: await declared.draw(call, frame) }
}

function skipHref(
  { organization }: Onboarding,
  { scope, step }: { scope: 'person' | 'organization'; step: string },
): string | null {
  if (scope === 'person') return `/api/auth/me/onboarding/${step}`
  return organization && `/api/organizations/${organization.id}/services/${organization.serviceId}/onboarding/${step}`
}
