import type { Member } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { SelectField, TextField, Form } from '#views/ui/form.tsx'
import { memberRoles, roleOptions } from '../roles.ts'

const id = 'invite'

export const InviteButton = () => (
  <Button label="Invite" icon="user-plus" variant="primary" commandfor={id} command="show-modal" />
)

interface InviteDialogProps {
  organizationId: string
  role: Member['role']
}

export const InviteDialog = ({ organizationId, role }: InviteDialogProps) => (
  <Dialog id={id} title="Invite a person">
    <Form
      hx-post={`/api/organizations/${organizationId}/invitations`}
      hx-target="#pending-invitations"
      hx-swap="outerMorph"
    >
      <div class="body">
        <TextField
          label="Email"
          name="email"
          id="invite-email"
          type="email"
          hint="We’ll email them a link that expires in 7 days"
          autocomplete="off"
          required
          autofocus
        />
        <SelectField
          label="Role"
          name="role"
          id="invite-role"
          options={roleOptions(grantableBy(role))}
          value="editor"
        />
      </div>
      <DialogButtons dialog={id} submit="Send invitation" />
    </Form>
  </Dialog>
)

/** Only owners invite owners. */
const grantableBy = (own: Member['role']) => memberRoles.filter((role) => role !== 'owner' || own === 'owner')
