import { z } from 'zod'
import { page } from '#lib/page.ts'
import { redirect } from '#lib/reply.ts'
import { OnboardingPage } from '#views/identity/onboarding/onboarding.tsx'
import { drawStep } from './draw-onboarding.tsx'
import { getOnboarding } from './onboarding.operations.tsx'

/** At the first open step, or at one before it that `step` names: addresses can't skip one. */
export const onboardingPage = page({
  path: '/onboarding',
  permission: 'signed-in',
  frame: 'steps',
  screen: 'milestones onboarding',
  title: 'Get started',
  query: z.object({
    step: z.string().optional().catch(undefined),
    change: z.stringbool().optional().catch(undefined),
  }),
  load: async (call) => {
    const onboarding = await call.ask(getOnboarding, {})
    if (onboarding.completed && !onboarding.steps.some(({ step }) => step === call.input.step)) return redirect('/')
    return { ...onboarding, ...(await drawStep(call, onboarding, call.input.step)) }
  },
  view: (props) => <OnboardingPage {...props} />,
})
