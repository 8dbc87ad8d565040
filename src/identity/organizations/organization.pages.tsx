import { z } from 'zod'
import { atLeast } from '#lib/actor.ts'
import { notFound } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import {
  OrganizationSettings,
  type OrganizationSettingsProps,
} from '#views/identity/organizations/organization-settings.tsx'
import { getProofMethods } from '../sign-in/second-factor/second-factor.operations.tsx'
import { getEntitlement } from './entitlements/entitlements.operations.tsx'
import { getOrganization } from './organizations.operations.tsx'

export const organizationPage = page({
  path: '/settings/organization',
  permission: 'role:viewer',
  frame: 'settings',
  icon: 'building-2',
  title: 'General',
  summary: 'Name, plan, apps and seats that it includes, and deletion.',
  query: z.object({}),
  load: async ({ ask, actor }): Promise<OrganizationSettingsProps> => {
    if (!actor.organization) throw notFound('organization')
    const { id, role } = actor.organization
    const [organization, entitlement, proofMethods] = await Promise.all([
      ask(getOrganization, { id }),
      ask(getEntitlement, { id }),
      atLeast(role, 'owner') ? ask(getProofMethods, {}) : null,
    ])
    return { organization, entitlement, role, proofMethods }
  },
  view: (props) => <OrganizationSettings {...props} />,
})
