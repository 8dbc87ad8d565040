import type { Member, MemberResources, PermissionInspection } from '#identity/types'
import { Time } from '#views/ui/time.tsx'
import { MemberBrands } from './member-brands.tsx'
import { PermissionsOverview } from './permissions-overview.tsx'
import { SecondFactor } from './second-factor.tsx'

export const memberAccess = 'access'

export interface MemberAccessProps {
  organizationId: string
  member: Member
  resources: MemberResources
  inspection: PermissionInspection
}

export const MemberAccess = ({ organizationId, member, resources, inspection }: MemberAccessProps) => (
  <div class="page split" id={memberAccess}>
    <PermissionsOverview inspection={inspection} />
    <aside class="stack" style="--gap: var(--space-6)">
      <MemberFacts member={member} />
      <hr />
      <MemberBrands organizationId={organizationId} userId={member.id} resources={resources} />
    </aside>
  </div>
)

export const MemberFacts = ({ member }: { member: Member }) => (
  <section class="section" aria-labelledby="member">
    <h2 id="member">Member</h2>
    <dl class="facts">
      <dt>Email</dt>
      <dd class="wrap-anywhere" safe>
        {member.email}
      </dd>
      <dt>Joined</dt>
      <dd>
        <Time at={member.joinedAt} form="longDay" />
      </dd>
      {member.secondFactor === null ? null : (
        <>
          <dt>Second factor</dt>
          <dd>
            <SecondFactor member={member} />
          </dd>
        </>
      )}
    </dl>
  </section>
)
