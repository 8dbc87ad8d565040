import type { MemberResources, PermissionInspection } from '#identity/types'
import { MemberBrands } from './member-brands.tsx'
import { PermissionsOverview } from './permissions-overview.tsx'

export interface MemberAccessProps {
  organizationId: string
  resources: MemberResources
  inspection: PermissionInspection
}

export const MemberAccess = ({ organizationId, resources, inspection }: MemberAccessProps) => (
  <div class="stack" id="access" style="--gap: var(--space-8)">
    <MemberBrands organizationId={organizationId} userId={inspection.userId} resources={resources} />
    <PermissionsOverview inspection={inspection} />
  </div>
)
