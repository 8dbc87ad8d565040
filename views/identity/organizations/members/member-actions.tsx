import type { Member } from '#identity/types'
import { Dialog, DialogButtons, MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { Form } from '#views/ui/form.tsx'
import { roleName } from '../roles.ts'

export interface MemberRowProps {
  organizationId: string
  me: string
  member: Member
}

export const MemberActions = (props: MemberRowProps) => {
  const { member, me } = props
  const { update, remove, transferOwnership } = member.can
  if (!update && !remove) return <></>
  const menu = `member-menu-${member.id}`
  return (
    <>
      <RowMenu id={menu} label={`More about ${member.name}`}>
        {update ? (
          <>
            <h3>Role</h3>
            <Roles {...props} menu={menu} />
            <hr />
          </>
        ) : null}
        {transferOwnership ? (
          <MenuItem label="Transfer ownership" commandfor={`owner-${member.id}`} command="show-modal" />
        ) : null}
        {remove ? (
          <MenuItem
            label={member.id === me ? 'Leave' : 'Remove'}
            icon={member.id === me ? 'log-out' : 'trash-2'}
            danger
            commandfor={`remove-${member.id}`}
            command="show-modal"
          />
        ) : null}
      </RowMenu>
      {remove ? <RemoveDialog {...props} /> : null}
      {transferOwnership ? <OwnerDialog {...props} /> : null}
    </>
  )
}

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

const Roles = ({ organizationId, member, menu }: MemberRowProps & { menu: string }) => (
  <>
    {member.assignableRoles.map((role) => (
      <MenuItem
        label={roleName(role)}
        chosen={role === member.role}
        disabled={role === member.role}
        hx-patch={`/api/organizations/${organizationId}/members/${member.id}`}
        hx-vals={JSON.stringify({ role })}
        hx-target="closest tr"
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

const RemoveDialog = ({ organizationId, member, me }: MemberRowProps) => {
  const id = `remove-${member.id}`
  const isMe = member.id === me
  return (
    <Dialog id={id} title={isMe ? 'Leave the organization?' : `Remove ${member.name}?`}>
      <Form
        hx-delete={`/api/organizations/${organizationId}/members/${member.id}`}
        hx-target="closest tr"
        hx-swap="delete"
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
