import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { FirstStepsProps } from '#views/social/first-steps.tsx'
import { listPosts } from '../posts/posts.operations.tsx'

type StepsCall = Pick<Call<unknown, Actor>, 'actor' | 'ask' | 'identity'>

/**
 * The steps to the first post of an organization. Null when it has one, when the person can't do the steps, and for people
 * with only some of its brands, who don't see the posts of the others.
 */
export async function askFirstSteps(call: StepsCall, steps: FirstStepsProps): Promise<FirstStepsProps | null> {
  const { permissions, bindings } = call.actor
  const serviceId = await call.identity.serviceId('platform-socialize')
  const needed = ['posts:read', 'posts:write', ...(steps.hasAccount ? [] : ['accounts:write'])]
  if (bindings.length > 0 || !needed.every((permission) => permissions.has(`${serviceId}.${permission}`))) return null
  const { items } = await call.ask(listPosts, { limit: 1 })
  return items.length === 0 ? steps : null
}
