import type { PermissionInspection } from '#identity/types'
import { Avatar, Badge } from '#views/ui/marks.tsx'
import { MemberAccess, type MemberAccessProps } from './member-access.tsx'
import { OverrideDialog } from './override-dialog.tsx'
import { roleName } from '../roles.ts'

export interface MemberPermissionsProps extends MemberAccessProps {
  member: NonNullable<PermissionInspection['member']>
}

export const MemberPermissions = ({ member, ...access }: MemberPermissionsProps) => (
  <>
    <header class="page-header">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href="/settings/members">Members</a>
      </nav>
      <Avatar name={member.name} seed={access.inspection.userId} size="lg" />
      <h1 class="wrap-anywhere" safe>
        {member.name}
      </h1>
      <Badge label={roleName(member.role)} />
    </header>
    <MemberAccess {...access} />
    {access.inspection.can.override ? <OverrideDialog name={member.name} inspection={access.inspection} /> : null}
  </>
)
