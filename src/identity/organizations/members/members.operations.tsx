import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { comesFrom, isTarget } from '#lib/page.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { withArticle } from '#views/identity/organizations/roles.ts'
import { Invitations } from '#views/identity/organizations/members/invitations.tsx'
import { MemberAccess, memberAccess } from '#views/identity/organizations/members/member-access.tsx'
import { MemberHeader, memberHeader } from '#views/identity/organizations/members/member-header.tsx'
import { MemberKeys } from '#views/identity/organizations/members/member-keys.tsx'
import { MemberRow, MemberRows } from '#views/identity/organizations/members/members.tsx'
import { listDependentKeys } from '../../api-keys/keys/dependent-keys.ts'
import { MemberKey } from '../../api-keys/contract.ts'
import { Role } from '../../contract/fields.ts'
import { Member, MemberEdit, Members } from '../../contract.ts'
import { listInvitations } from './invitations.operations.tsx'
import { requireAccessibleOrganization } from '../open-organization.ts'
import { explainPermissions } from '../permissions/permissions.operations.tsx'
import { listMemberResources } from '../resource-roles/resource-roles.operations.tsx'
import * as members from './members.ts'

const back = { next: '/settings/members' }

const memberFilter = {
  q: plainText(100).optional().describe('Part of a name or email address.'),
  role: optionalField(Role),
  resourceId: optionalField(Id).describe(
    'Members whose role is limited to resources, this one among them. Requires `role:admin`.',
  ),
}

export const listMembers = operation({
  route: 'GET /api/organizations/:id/members',
  summary: 'List members',
  permission: 'signed-in',
  personal: false,
  input: z.object({ id: Id, ...memberFilter, ...paging }),
  output: Members,
  problems: { workspace_suspended: 403, organization_requires_second_factor: 403, organization_requires_sso: 403 },
  run: async (call) => {
    await requireAccessibleOrganization(call, call.input.id)
    return members.listMembers(call, call.input)
  },
  view: ({ items, nextCursor }, { actor, input: { id, q, role, resourceId, cursor } }) => (
    <MemberRows
      organizationId={id}
      me={actor.principal.id}
      members={items}
      nextCursor={nextCursor}
      filter={{ q, role, resourceId }}
      cursor={cursor}
    />
  ),
})

/** A member who loses their role loses the invitations that they sent. */
async function RemainingInvitations({
  ask,
  actor,
  input: { id },
}: Pick<Call<{ id: string }, Actor>, 'ask' | 'actor' | 'input'>) {
  const { items } = await ask(listInvitations, { id, limit: 100 })
  return (
    <hx-partial hx-target="#pending-invitations" hx-swap="outerMorph">
      <Invitations organizationId={id} me={actor.principal.id} invitations={items} />
    </hx-partial>
  )
}

export const updateMember = operation({
  route: 'PATCH /api/organizations/:id/members/:userId',
  summary: 'Update a member’s role',
  permission: 'role:admin',
  input: MemberEdit,
  output: Member,
  example: { role: 'editor' },
  problems: { last_owner: 409, agent_cannot_be_owner: 409 },
  run: async (call) => {
    const member = await members.changeRole(call, call.input)
    // The person's own role changes the rest of the page, too.
    const leavesPage = member.id === call.actor.principal.id
    return reply(200, member, { ...back, leavesPage, toast: `${member.name} is now ${withArticle(member.role)}` })
  },
  view: (member, call) =>
    isTarget(call, memberAccess) ? (
      drawMemberPage(member, call)
    ) : (
      <>
        <MemberRow organizationId={call.input.id} me={call.actor.principal.id} member={member} />
        <RemainingInvitations {...call} />
      </>
    ),
})

/** The role also changes the permissions, and what can be limited. */
async function drawMemberPage(member: Member, { ask, actor, input: { id, userId } }: Call<MemberEdit, Actor>) {
  const [inspection, resources] = await Promise.all([
    ask(explainPermissions, { userId, organizationId: id }),
    ask(listMemberResources, { id, userId }),
  ])
  const props = { organizationId: id, me: actor.principal.id, member, resources, inspection }
  return (
    <>
      <MemberAccess {...props} />
      <hx-partial hx-target={`#${memberHeader}`} hx-swap="outerMorph">
        <MemberHeader {...props} />
      </hx-partial>
    </>
  )
}

export const listMemberKeys = operation({
  route: 'GET /api/organizations/:id/members/:userId/api-keys',
  summary: 'List the API keys that depend on a member',
  permission: 'role:viewer',
  input: z.object({ id: Id, userId: Id }),
  output: listOf(MemberKey),
  run: async (call) => ({ items: await listDependentKeys(call, call.input), nextCursor: null }),
  view: ({ items }, { actor, input }) => <MemberKeys keys={items} own={input.userId === actor.principal.id} />,
})

export const removeMember = operation({
  route: 'DELETE /api/organizations/:id/members/:userId',
  summary: 'Remove a member or leave an organization',
  permission: 'signed-in',
  personal: false,
  input: z.object({ id: Id, userId: Id }),
  output: z.null(),
  problems: { last_owner: 409 },
  run: async (call) => {
    await members.removeMember(call, call.input)
    const isSelf = call.input.userId === call.actor.principal.id
    const leavesPage = isSelf || comesFrom(call, `${back.next}/${call.input.userId}`)
    return reply(204, null, isSelf ? { next: '/', leavesPage } : { ...back, leavesPage, toast: 'Member removed' })
  },
  // The row is deleted.
  view: (_, call) => <RemainingInvitations {...call} />,
})
