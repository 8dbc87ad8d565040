import type { OnboardingStep } from '#lib/onboarding-step.ts'
import { OrganizationStep } from '#views/identity/onboarding/organization-step.tsx'
import { listOwnInvitations } from '../members/own-invitations.operations.ts'
import { selectedHousehold } from '../households/selected.ts'
import { getOrganization } from '../organizations.operations.tsx'
import { organizationsOf } from '../organizations.ts'

/** Those who are in one, or in a household, have nothing to name. */
export const organizationStep: OnboardingStep = {
  step: 'organization',
  title: 'Organization',
  rank: 20,
  scope: 'person',
  optional: true,
  find: async ({ db, actor }) => {
    const { id } = actor.principal
    const [own, household] = await Promise.all([organizationsOf(db, id), selectedHousehold(db, id, null)])
    return { done: own.length > 0 || household.selectedHousehold !== null }
  },
  draw: async ({ ask, actor: { organization: active } }, frame) => {
    const organization = active?.role === 'owner' ? await ask(getOrganization, { id: active.id }) : null
    const { items } = organization ? { items: [] } : await ask(listOwnInvitations, {})
    return () => <OrganizationStep organization={organization} invitations={items} frame={frame} />
  },
}
