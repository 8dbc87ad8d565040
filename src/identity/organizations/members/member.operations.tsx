import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { isTarget } from '#lib/page.ts'
import { MemberFacts } from '#views/identity/organizations/members/member-access.tsx'
import { memberMenu, MemberMenu } from '#views/identity/organizations/members/member-actions.tsx'
import { Member } from '../../contract.ts'
import { requireAccessibleOrganization } from '../open-organization.ts'
import { getMember as readMember } from './members.ts'

export const getMember = operation({
  route: 'GET /api/organizations/:id/members/:userId',
  summary: 'Get a member',
  permission: 'signed-in',
  personal: false,
  input: z.object({ id: Id, userId: Id }),
  output: Member,
  problems: { workspace_suspended: 403, organization_requires_second_factor: 403, organization_requires_sso: 403 },
  run: async (call) => {
    await requireAccessibleOrganization(call, call.input.id)
    return readMember(call, call.input)
  },
  view: (member, call) =>
    isTarget(call, memberMenu(member)) ? (
      <MemberMenu organizationId={call.input.id} me={call.actor.principal.id} member={member} />
    ) : (
      <MemberFacts member={member} />
    ),
})
