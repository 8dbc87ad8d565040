import { z } from 'zod'
import { page } from '#lib/page.ts'
import { redirect } from '#lib/reply.ts'
import { OnboardingPage } from '#views/identity/accounts/onboarding.tsx'
import { loadRecoveryStep } from './draw-onboarding.tsx'
import { getOnboarding } from './onboarding.operations.tsx'

/** Always at the first open step: addresses can't skip one. */
export const onboardingPage = page({
  path: '/onboarding',
  permission: 'signed-in',
  frame: 'door',
  screen: 'milestones',
  title: 'Get started',
  query: z.object({ change: z.stringbool().optional().catch(undefined) }),
  load: async (call) => {
    const { steps, next } = await call.ask(getOnboarding, {})
    if (next === null) return redirect('/')
    const step = next === 'recovery' ? await loadRecoveryStep(call) : { recovery: null, ways: null }
    return { steps, next, ...step, isChanging: call.input.change }
  },
  view: (props) => <OnboardingPage {...props} />,
})
