import type { PermissionInspection } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { MemberAccess, type MemberAccessProps } from './member-access.tsx'
import { overrideDialog, OverrideDialog } from './override-dialog.tsx'
import { roleName } from '../roles.ts'

export interface MemberPermissionsProps extends MemberAccessProps {
  member: NonNullable<PermissionInspection['member']>
}

export const MemberPermissions = ({ member, ...access }: MemberPermissionsProps) => (
  <div class="page stack" style="--measure: 60rem; --gap: var(--space-8)">
    <section class="section" aria-labelledby="member">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href="/settings/members">Members</a>
      </nav>
      <header>
        <div>
          <h1 id="member" class="wrap-anywhere" safe>
            {member.name}
          </h1>
          <p class="muted wrap-anywhere" safe>
            {`${roleName(member.role)} · ${member.email}`}
          </p>
        </div>
        {access.inspection.can.override ? (
          <Button label="Add override" icon="plus" commandfor={overrideDialog} command="show-modal" />
        ) : null}
      </header>
    </section>
    <MemberAccess {...access} />
    {access.inspection.can.override ? <OverrideDialog name={member.name} inspection={access.inspection} /> : null}
  </div>
)
