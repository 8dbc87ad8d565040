import { presentedBy } from '#identity'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { redirect, type Redirect } from '#lib/reply.ts'

type VisitorCall = Pick<Call<unknown, Actor>, 'actor' | 'config' | 'identity' | 'request'>

/** For the pages where people begin; null once every required step is done. */
export async function redirectToOnboarding({
  actor,
  config,
  identity,
  request,
}: VisitorCall): Promise<Redirect | null> {
  // The page is one of identity’s.
  if (
    !config.ONBOARDING ||
    !config.SERVICES.includes('identity') ||
    actor.tokenType === 'api_key' ||
    actor.tokenType === 'service'
  )
    return null
  const { steps } = await identity.onboarding(presentedBy(request))
  return steps.some(({ optional, done }) => !optional && !done) ? redirect('/onboarding') : null
}
