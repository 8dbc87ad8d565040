import { isAllowed } from '#lib/authorize.ts'
import type { OnboardingStep } from '#lib/onboarding-step.ts'
import { AppsStep } from '#views/dashboard/onboarding/apps-step.tsx'
import { listCatalog } from '../catalog/catalog.operations.tsx'

/** Left out where a person can't install apps, and where nothing can be chosen. */
export const appsStep: OnboardingStep = {
  step: 'apps',
  title: 'Apps',
  rank: 30,
  scope: 'organization',
  optional: true,
  find: async ({ actor, identity }) => {
    const serviceId = await identity.serviceId('platform-dashboard-api')
    return isAllowed(actor, 'apps:write', serviceId) ? { done: false } : null
  },
  draw: async ({ ask }, frame) => {
    const catalog = await ask(listCatalog, { limit: 100 })
    return () => <AppsStep catalog={catalog} frame={frame} />
  },
}
