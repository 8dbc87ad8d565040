import type { Member, Organization } from '#identity/types'
import { Dialog, DialogButtons } from '#views/ui/dialog.tsx'
import { Form } from '#views/ui/form.tsx'
import { MenuItem, RowMenu } from '#views/ui/menu.tsx'
import type { OfMember } from './members.tsx'
import { roleName } from '../roles.ts'

/** Admins act on everyone but owners, owners on everyone; all may leave. */
export const MemberActs = (props: OfMember) => {
  const { member, me, invitations, grantable } = props
  const mayEdit = invitations !== null && grantable.includes(member.role)
  if (!mayEdit && member.id !== me) return <></>
  const menu = `acts-of-${member.id}`
  return (
    <>
      <RowMenu id={menu} label={`More about ${member.name}`}>
        {mayEdit ? (
          <>
            <h3>Role</h3>
            <Roles {...props} menu={menu} />
            <hr />
          </>
        ) : null}
        {mayHandOn(props) ? (
          <MenuItem label="Transfer ownership" commandfor={`owner-${member.id}`} command="show-modal" />
        ) : null}
        <MenuItem
          label={member.id === me ? 'Leave' : 'Remove'}
          icon={member.id === me ? 'log-out' : 'trash-2'}
          danger
          commandfor={`remove-${member.id}`}
          command="show-modal"
        />
      </RowMenu>
      <RemoveDialog {...props} />
      {mayHandOn(props) ? <OwnerDialog {...props} /> : null}
    </>
  )
}

/** Owners can transfer ownership to another member who is a person. */
const mayHandOn = ({ organization, member, me }: OfMember): boolean =>
  organization.role === 'owner' && member.id !== me && member.role !== 'owner' && member.principalType === 'user'

const OwnerDialog = ({ organization, member }: OfMember) => {
  const id = `owner-${member.id}`
  return (
    <Dialog id={id} title={`Transfer ownership of ${organization.name}?`}>
      <Form hx-post={`/api/organizations/${organization.id}/owner`} hx-vals={JSON.stringify({ userId: member.id })}>
        <div class="body">
          <p safe>{`${member.name} becomes the owner and you become an admin. Only they can undo this.`}</p>
        </div>
        <DialogButtons dialog={id} submit="Transfer" danger focusCancel />
      </Form>
    </Dialog>
  )
}

/** Owners are people. */
const givenTo =
  ({ principalType }: Member) =>
  (role: Member['role']): boolean =>
    principalType !== 'agent' || role !== 'owner'

const Roles = ({ organization, member, grantable, menu }: OfMember & { menu: string }) => (
  <>
    {grantable.filter(givenTo(member)).map((role) => (
      <MenuItem
        label={roleName(role)}
        chosen={role === member.role}
        disabled={role === member.role}
        hx-patch={`/api/organizations/${organization.id}/members/${member.id}`}
        hx-vals={JSON.stringify({ role })}
        hx-swap="none"
        popovertarget={menu}
        popovertargetaction="hide"
      />
    ))}
  </>
)

const lossOf = ({ name, principalType }: Member, organization: Organization): string =>
  principalType === 'agent'
    ? `${name}’s API keys are revoked immediately. Content they created stays.`
    : `${name} loses access to ${organization.name} immediately. Content they created stays.`

const RemoveDialog = ({ organization, member, me }: OfMember) => {
  const id = `remove-${member.id}`
  const isMe = member.id === me
  return (
    <Dialog id={id} title={isMe ? `Leave ${organization.name}?` : `Remove ${member.name}?`}>
      <Form hx-delete={`/api/organizations/${organization.id}/members/${member.id}`}>
        <div class="body">
          <p safe>
            {isMe
              ? 'You lose access immediately. Content you created stays. To rejoin, you need an invitation.'
              : lossOf(member, organization)}
          </p>
          <div
            hx-get={`/api/organizations/${organization.id}/members/${member.id}/api-keys`}
            hx-trigger="intersect once"
          />
        </div>
        <DialogButtons dialog={id} submit={isMe ? 'Leave' : 'Remove'} danger focusCancel />
      </Form>
    </Dialog>
  )
}
