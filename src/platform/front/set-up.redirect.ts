import { presentedBy } from '#identity'
import type { Call } from '#lib/call.ts'
import { redirect, type Redirect } from '#lib/reply.ts'

/** Null once nothing is left to set up. The process with the page has the steps of people, too. */
export async function redirectToSetUp({ config, identity, onboardingSteps, request }: Call): Promise<Redirect | null> {
  if (!config.ONBOARDING || !onboardingSteps.some(({ scope }) => scope === 'person')) return null
  const { completed } = await identity.onboarding(presentedBy(request))
  return completed ? null : redirect('/onboarding')
}
