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
<<<<<<< HEAD
import { findPendingEmail } from './email-change/email-change.ts'
import { listSessions, listFailedSignIns } from '../sign-in/own-sessions.ts'
import { loadRecoveryEmail } from './recovery-email/recovery-email.ts'
import { getOrganizationSso, listOwnProviders } from '../organizations/sso/sso.ts'
=======
import { findOwnSignIn } from '../organizations/sso/sso.ts'
>>>>>>> dcdd303e (Run the pages of security and sessions on operations, and move them to sign-in)
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
<<<<<<< HEAD

export const securityPage = page({
  ...settings,
  path: '/settings/security',
  permission: 'signed-in',
  title: 'Security',
  query: z.object(troubleQuery),
  screen: 'security',
  load: async (call) => {
    requireOwnSession(call.actor)
    return {
      ...(await getFactors(call)),
      pendingEmail: await findPendingEmail(call),
      recovery: await loadRecoveryEmail(call),
      upstream: {
        providers: [...offeredProviders(call.config), ...(await listOwnProviders(call))],
        identities: z.array(UpstreamIdentity).parse(await listIdentities(call)),
        trouble: await findTrouble(call, call.input),
      },
    }
  },
  view: (props) => <Security {...props} />,
})

export const sessionsPage = page({
  ...settings,
  path: '/settings/sessions',
  permission: 'signed-in',
  title: 'Sessions',
  query: z.object({ cursor: z.string().max(500).optional() }),
  load: async (call): Promise<SessionsProps> => {
    requireOwnSession(call.actor)
    const { items, nextCursor } = await listSessions(call, { limit: 50, cursor: call.input.cursor })
    const refused = await listFailedSignIns(call)
    return { sessions: z.array(OwnSession).parse(items), refused, nextCursor }
  },
  view: (props) => <Sessions {...props} />,
})
=======
>>>>>>> dcdd303e (Run the pages of security and sessions on operations, and move them to sign-in)
