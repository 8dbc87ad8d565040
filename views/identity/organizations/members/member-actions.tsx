import type { Member } from '#identity/types'
import { Dialog, DialogButtons, MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { Form } from '#views/ui/form.tsx'
import { roleName } from '../roles.ts'

export interface MemberRowProps {
  organizationId: string
  me: string
  member: Member
}

export const memberMenu = ({ id }: Member): string => `member-menu-${id}`
const memberDialogs = ({ id }: Member): string => `member-dialogs-${id}`
const removeDialog = ({ id }: Member): string => `remove-${id}`

/** The row's menu and the place of its dialogs, which are loaded when the menu opens. */
export const MemberActions = ({ organizationId, member }: MemberRowProps) =>
  member.can.update || member.can.remove ? (
    <>
      <RowMenu
        id={memberMenu(member)}
        label={`More about ${member.name}`}
        from={`/api/organizations/${organizationId}/members/${member.id}`}
      />
      <div id={memberDialogs(member)} />
    </>
  ) : (
    <></>
  )

export const MemberMenu = (props: MemberRowProps) => {
  const { member } = props
  const { update, remove, transferOwnership } = member.can
  return (
    <>
      {update ? (
        <>
          <h3>Role</h3>
          <Roles {...props} menu={memberMenu(member)} hx-target="closest tr" />
          <hr />
        </>
      ) : null}
      {transferOwnership ? (
        <MenuItem label="Transfer ownership" commandfor={`owner-${member.id}`} command="show-modal" />
      ) : null}
      {remove ? <RemoveItem {...props} /> : null}
      <hx-partial hx-target={`#${memberDialogs(member)}`} hx-swap="innerHTML">
        {remove ? <RemoveDialog {...props} hx-target="closest tr" hx-swap="delete" /> : null}
        {transferOwnership ? <OwnerDialog {...props} /> : null}
      </hx-partial>
    </>
  )
}

export const RemoveItem = ({ member, me }: MemberRowProps) => (
  <MenuItem
    label={member.id === me ? 'Leave' : 'Remove'}
    icon={member.id === me ? 'log-out' : 'trash-2'}
    danger
    commandfor={removeDialog(member)}
    command="show-modal"
  />
)

const OwnerDialog = ({ organizationId, member }: MemberRowProps) => {
  const id = `owner-${member.id}`
  return (
    <Dialog id={id} title={`Transfer ownership to ${member.name}?`}>
      <Form
        hx-post={`/api/organizations/${organizationId}/owner`}
        hx-vals={JSON.stringify({ userId: member.id })}
        hx-target="#members-refresh"
        hx-swap="outerHTML"
      >
        <div class="body">
          <p safe>{`${member.name} becomes the owner and you become an admin. Only they can undo this.`}</p>
        </div>
        <DialogButtons dialog={id} submit="Transfer" danger focusCancel />
      </Form>
    </Dialog>
  )
}

interface RolesProps extends MemberRowProps {
  menu: string
  'hx-target': string
}

export const Roles = ({ organizationId, member, menu, 'hx-target': target }: RolesProps) => (
  <>
    {member.assignableRoles.map((role) => (
      <MenuItem
        label={roleName(role)}
        chosen={role === member.role}
        disabled={role === member.role}
        hx-patch={`/api/organizations/${organizationId}/members/${member.id}`}
        hx-vals={JSON.stringify({ role })}
        hx-target={target}
        hx-swap="outerMorph"
        popovertarget={menu}
        popovertargetaction="hide"
      />
    ))}
  </>
)

const lossOf = ({ name, principalType }: Member): string =>
  principalType === 'agent'
    ? `${name}’s API keys are revoked immediately. Content they created stays.`
    : `${name} loses access immediately. Content they created stays.`

type RemoveDialogProps = MemberRowProps & { 'hx-target'?: string; 'hx-swap'?: 'delete' }

export const RemoveDialog = ({ organizationId, member, me, ...swap }: RemoveDialogProps) => {
  const id = removeDialog(member)
  const isMe = member.id === me
  return (
    <Dialog id={id} title={isMe ? 'Leave the organization?' : `Remove ${member.name}?`}>
      <Form
        hx-delete={`/api/organizations/${organizationId}/members/${member.id}`}
        hx-target={swap['hx-target']}
        hx-swap={swap['hx-swap'] ?? 'none'}
      >
        <div class="body">
          <p safe>
            {isMe
              ? 'You lose access immediately. Content you created stays. To rejoin, you need an invitation.'
              : lossOf(member)}
          </p>
          <div
            hx-get={`/api/organizations/${organizationId}/members/${member.id}/api-keys`}
            hx-trigger="intersect once"
          />
        </div>
        <DialogButtons dialog={id} submit={isMe ? 'Leave' : 'Remove'} danger focusCancel />
      </Form>
    </Dialog>
  )
}
