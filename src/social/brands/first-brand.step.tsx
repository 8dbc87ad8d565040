import type { OnboardingStep } from '#lib/onboarding-step.ts'
import { FirstBrandStep } from '#views/social/brands/first-brand-step.tsx'
import { readPermissions } from '../access.ts'
import { countBrands } from './brands.ts'
import { listBrands } from './brands.operations.tsx'

/** Left out where Social isn't installed, since no one has its permissions there. */
export const firstBrandStep: OnboardingStep = {
  step: 'brand',
  title: 'First brand',
  rank: 50,
  scope: 'organization',
  optional: true,
  find: async (call) => {
    const { db, actor } = call
    const check = await readPermissions(call)
    if (!actor.organization || !check('brands:write')) return null
    return { done: (await countBrands(db, actor.organization.id)) > 0 }
  },
  draw: async ({ ask, actor, identity }, frame) => {
    const { items } = await ask(listBrands, { limit: 1 })
    const timeZone = actor.organization ? (await identity.organizationState(actor.organization.id)).timeZone : null
    return () => <FirstBrandStep brand={items[0] ?? null} timeZone={timeZone} frame={frame} />
  },
}
