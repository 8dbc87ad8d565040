import type { MemberResources } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Avatar, Badge } from '#views/ui/marks.tsx'
import { Menu, MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { memberAccess } from './member-access.tsx'
import { RemoveDialog, RemoveItem, Roles, type MemberRowProps } from './member-actions.tsx'
import { canLimit, limitsDialog } from './member-brands.tsx'
import { roleName } from '../roles.ts'

export const memberHeader = 'member-header'

const roleMenu = 'member-role'

export interface MemberHeaderProps extends MemberRowProps {
  resources: MemberResources
}

export const MemberHeader = (props: MemberHeaderProps) => {
  const { member } = props
  return (
    <header class="page-header" id={memberHeader}>
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href="/settings/members">Members</a>
      </nav>
      <Avatar name={member.name} seed={member.id} size="lg" />
      <h1 class="wrap-anywhere" safe>
        {member.name}
      </h1>
      <Badge label={roleName(member.role)} />
      <div class="actions">
        {member.can.update ? (
          <>
            <Button label="Change role" popovertarget={roleMenu} />
            <Menu id={roleMenu}>
              <Roles {...props} menu={roleMenu} hx-target={`#${memberAccess}`} />
            </Menu>
          </>
        ) : null}
        <More {...props} />
      </div>
      {member.can.remove ? <RemoveDialog {...props} /> : null}
    </header>
  )
}

const More = (props: MemberHeaderProps) => {
  const { member, resources } = props
  const limits = canLimit(resources)
  if (!limits && !member.can.remove) return <></>
  return (
    <RowMenu id="member-menu" label={`More about ${member.name}`}>
      {limits ? <MenuItem label="Limit to brands" icon="tag" commandfor={limitsDialog} command="show-modal" /> : null}
      {limits && member.can.remove ? <hr /> : null}
      {member.can.remove ? <RemoveItem {...props} /> : null}
    </RowMenu>
  )
}
