import type { MemberResources, PermissionInspection } from '#identity/types'
import { MemberBrands } from './member-brands.tsx'
import { PermissionsOverview } from './permissions-overview.tsx'
import { roleName } from '../roles.ts'

export interface MemberAccessProps {
  organizationId: string
  resources: MemberResources
  inspection: PermissionInspection
}

export const MemberAccess = ({ organizationId, resources, inspection }: MemberAccessProps) => (
  <div class="page split" id="access">
    <PermissionsOverview inspection={inspection} />
    <aside class="stack" style="--gap: var(--space-6)">
      {inspection.member ? <Facts member={inspection.member} /> : null}
      <hr />
      <MemberBrands organizationId={organizationId} userId={inspection.userId} resources={resources} />
    </aside>
  </div>
)

const Facts = ({ member }: { member: NonNullable<PermissionInspection['member']> }) => (
  <section class="section" aria-labelledby="member">
    <h2 id="member">Member</h2>
    <dl class="facts">
      <dt>Email</dt>
      <dd class="wrap-anywhere" safe>
        {member.email}
      </dd>
      <dt>Role</dt>
      <dd safe>{roleName(member.role)}</dd>
    </dl>
  </section>
)
