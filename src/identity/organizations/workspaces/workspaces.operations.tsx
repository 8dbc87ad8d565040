import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { MembersRefresh } from '#views/identity/organizations/members/members-refresh.tsx'
import { Member, Organization } from '../../contract.ts'
import { OrganizationDraft, OwnershipTransfer } from './contract.ts'
import { createOwnedOrganization, transferOwnership as transfer } from './workspaces.ts'

export const createOrganization = operation({
  route: 'POST /api/organizations',
  summary: 'Create an organization',
  permission: 'signed-in',
  input: OrganizationDraft,
  output: Organization,
  creates: true,
  problems: { slug_taken: 409, super_admin: 409, too_many_organizations: 409 },
  run: async (call) => {
    const organization = await createOwnedOrganization(call, call.input)
    return reply(201, organization, { next: '/', toast: `${organization.name} created` })
  },
})

export const transferOwnership = operation({
  route: 'POST /api/organizations/:id/owner',
  summary: 'Transfer your ownership to a member',
  permission: 'role:owner',
  input: OwnershipTransfer,
  output: Member,
  problems: { agent_cannot_be_owner: 409, last_owner: 409 },
  run: async (call) => {
    const owner = await transfer(call, call.input)
    return reply(200, owner, { next: '/settings/members', toast: `${owner.name} is now the owner` })
  },
  view: () => <MembersRefresh />,
})
