import { z } from 'zod'
import { atLeast } from '#lib/actor.ts'
import { requireOwnSession } from '#lib/authorize.ts'
import { notFound } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { OrganizationSettings } from '#views/identity/organizations/organization-settings.tsx'
import { Profile } from '#views/identity/accounts/profile.tsx'
import { adminOrganization } from '../admin/admin-organization.ts'
import { findUser } from './accounts.ts'
import { whoAmI } from './current.ts'
import { OrganizationDomain } from '../organizations/domains/contract.ts'
import { listDomains } from '../organizations/domains/domains.ts'
import { planOf } from '../organizations/entitlements/plan.ts'
import { HouseholdInvitation } from '../organizations/households/contract.ts'
import { list as listHouseholds } from '../organizations/households/households.ts'
import { listInvitations } from '../organizations/households/invitations.ts'
import { getOrganizationSso } from '../organizations/sso/sso.ts'
import { callbackUrl as callbackUrlOf } from '../sign-in/social-login/callback-url.ts'
import { getProofMethods } from '../sign-in/second-factor/proof-methods.ts'

const settings = { query: z.object({}), frame: 'settings' } as const

export const profilePage = page({
  ...settings,
  path: '/settings/profile',
  permission: 'signed-in',
  title: 'Profile',
  load: async (call) => {
    requireOwnSession(call.actor)
    const { user } = await whoAmI(call)
    const ways = await getProofMethods(call.db, await findUser(call.db, user.id))
    return {
      user,
      ways,
      households: await listHouseholds(call),
      invitations: z.array(HouseholdInvitation).parse(await listInvitations(call)),
    }
  },
  view: (props) => <Profile {...props} />,
})

export const organizationPage = page({
  ...settings,
  path: '/settings/organization',
  permission: 'role:viewer',
  title: 'Organization',
  load: async (call) => {
    const { organization } = await whoAmI(call)
    if (!organization) throw notFound('organization')
    const canWrite = atLeast(organization.role, 'owner')
    const { id } = organization
    const callbackUrl = callbackUrlOf(id, call.config, call.request)
    const [ownSignIn, domains] = canWrite
      ? await Promise.all([getOrganizationSso(call, id), listDomains(call, id)])
      : [null, []]
    const user = await findUser(call.db, call.actor.principal.id)
    return {
      organization,
      mayWrite: canWrite,
      mayDelete: canWrite && organization.slug !== adminOrganization,
      ways: await getProofMethods(call.db, user),
      callbackUrl,
      ownSignIn,
      domains: z.array(OrganizationDomain).parse(domains),
      plan: await planOf(call, organization),
    }
  },
  view: (props) => <OrganizationSettings {...props} />,
})
