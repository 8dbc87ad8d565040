import { z } from 'zod'
import { atLeast } from '#lib/actor.ts'
import { nullFor404, notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { InvitationLanding, type InvitationLandingProps } from '#views/identity/organizations/members/invitation.tsx'
import { Members, membersPerPage, type MembersProps } from '#views/identity/organizations/members/members.tsx'
import { InvitationToken } from '../../contract.ts'
import { Role } from '../../contract/fields.ts'
import { noReferrer } from '../../http/responses.ts'
import { me } from '../../sign-in/sessions.operations.tsx'
import { getInvitation, listInvitations } from './invitations.operations.tsx'
import { listMembers } from './members.operations.tsx'

export const membersPage = page({
  path: '/settings/members',
  permission: 'role:viewer',
  frame: 'settings',
  header: 'own',
  icon: 'users',
  quick: true,
  title: 'Members',
  summary: 'People, their roles and permissions, and invitations.',
  keywords: 'invite people users team roles permissions',
  query: z.object({
    q: ignoreInvalid(plainText(100)),
    role: ignoreInvalid(Role),
    resourceId: ignoreInvalid(Id),
    cursor: Cursor,
  }),
  load: async ({ ask, actor, input: { cursor, ...given } }): Promise<MembersProps> => {
    if (!actor.organization) throw notFound('organization')
    const { id, role } = actor.organization
    const isAdmin = atLeast(role, 'admin')
    const filter = isAdmin ? given : { ...given, resourceId: undefined }
    const [members, invitations] = await Promise.all([
      ask(listMembers, { id, limit: membersPerPage, ...filter, cursor }),
      isAdmin ? ask(listInvitations, { id, limit: 100 }) : null,
    ])
    return {
      organizationId: id,
      me: actor.principal.id,
      role,
      members: members.items,
      nextCursor: members.nextCursor,
      can: members.can,
      resources: members.resources,
      filter,
      cursor,
      invitations: invitations && invitations.items,
    }
  },
  view: (props) => <Members {...props} />,
})

export const invitationPage = page({
  path: '/invitations/:token',
  limit: 'sign-in',
  permission: 'public',
  frame: 'door',
  screen: 'door',
  title: 'Invitation',
  query: InvitationToken,
  load: async ({ ask, actor, input: { token } }) => {
    const [invitation, reader] = await Promise.all([
      ask(getInvitation, { token }).catch(nullFor404),
      actor && !actor.service ? ask(me, {}) : null,
    ])
    const props: InvitationLandingProps = { token, invitation, me: reader && reader.user }
    return reply(invitation ? 200 : 404, props, { headers: noReferrer })
  },
  view: (props) => <InvitationLanding {...props} />,
})
