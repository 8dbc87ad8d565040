import { z } from 'zod'
import { atLeast } from '#lib/actor.ts'
import { notFound } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import {
  OrganizationSettings,
  type OrganizationSettingsProps,
} from '#views/identity/organizations/organization-settings.tsx'
import { getProofMethods } from '../sign-in/second-factor/second-factor.operations.tsx'
import { listOrganizationDomains } from './domains/domains.operations.tsx'
import { getEntitlement, listAvailableApps, listInstalledApps } from './entitlements/entitlements.operations.tsx'
import { getOrganization } from './organizations.operations.tsx'
import { getOrganizationSso } from './sso/sso.operations.tsx'

export const organizationPage = page({
  path: '/settings/organization',
  permission: 'role:viewer',
  frame: 'settings',
  icon: 'building-2',
  title: 'Organization',
  query: z.object({}),
  load: async ({ ask, actor }): Promise<OrganizationSettingsProps> => {
    if (!actor.organization) throw notFound('organization')
    const { id, role } = actor.organization
    const isOwner = atLeast(role, 'owner')
    const [organization, entitlement, installed, available, sso, domains, proofMethods] = await Promise.all([
      ask(getOrganization, { id }),
      ask(getEntitlement, { id }),
      ask(listInstalledApps, { id }),
      atLeast(role, 'admin') ? ask(listAvailableApps, { id }) : null,
      isOwner ? ask(getOrganizationSso, { id }) : null,
      isOwner ? ask(listOrganizationDomains, { id }) : null,
      isOwner ? ask(getProofMethods, {}) : null,
    ])
    return {
      organization,
      entitlement,
      installed,
      available: available?.items ?? [],
      sso,
      domains: domains && domains.items,
      proofMethods,
    }
  },
  view: (props) => <OrganizationSettings {...props} />,
})
