import { z } from 'zod'
import { atLeast, roles } from '#lib/actor.ts'
import { notFound } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { InvitationLanding, type InvitationLandingProps } from '#views/identity/organizations/members/invitation.tsx'
import { Members, type MembersProps } from '#views/identity/organizations/members/members.tsx'
import { whoAmI } from '../../accounts/current.ts'
import { noReferrer } from '../../http/responses.ts'
import { findOpenInvitation } from './accept.ts'
import { listInvitations } from './invitations.operations.tsx'
import { listMembers } from './members.operations.tsx'

/** More than most organizations have; the page loads further members on request. */
const pageSize = 50

export const membersPage = page({
  path: '/settings/members',
  permission: 'role:viewer',
  frame: 'settings',
  title: 'Members',
  query: z.object({ cursor: Cursor }),
  load: async (call): Promise<MembersProps> => {
    const { user, organization } = await whoAmI(call)
    if (!organization) throw notFound('organization')
    const isAdmin = atLeast(organization.role, 'admin')
    const [members, invitations] = await Promise.all([
      call.ask(listMembers, { id: organization.id, limit: pageSize, cursor: call.input.cursor }),
      isAdmin ? call.ask(listInvitations, { id: organization.id, limit: 100 }) : null,
    ])
    return {
      organization,
      me: user.id,
      members: members.items,
      nextCursor: members.nextCursor,
      invitations: invitations && invitations.items,
      grantable: roles.filter((role) => role !== 'owner' || organization.role === 'owner'),
    }
  },
  view: (props) => <Members {...props} />,
})

export const invitationPage = page({
  path: '/invitations/:token',
  permission: 'public',
  frame: 'door',
  title: 'Invitation',
  query: z.object({ token: z.string().max(200) }),
  load: async (call) => {
    const { token } = call.input
    const invitation = await findOpenInvitation(call.db, token, call.now())
    const { actor } = call
    const me = actor && !actor.service ? (await whoAmI({ ...call, actor })).user.email : null
    const shown: InvitationLandingProps = { token, invitation: invitation ?? null, me }
    return reply(invitation ? 200 : 404, shown, { headers: noReferrer })
  },
  view: (props) => <InvitationLanding {...props} />,
})
