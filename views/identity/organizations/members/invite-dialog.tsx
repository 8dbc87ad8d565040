import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/dialog.tsx'
import { SelectField, TextField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'
import type { MembersProps } from './members.tsx'
import { roleOptions } from '../roles.ts'

const id = 'invite'

/** Opens the dialog. */
export const InviteButton = () => (
  <Button label="Invite" icon="user-plus" variant="primary" commandfor={id} command="show-modal" />
)

/** The form that invites a person with a role. */
export const InviteDialog = ({ organization, grantable }: Pick<MembersProps, 'organization' | 'grantable'>) => (
  <Dialog id={id} title={`Invite to ${organization.name}`}>
    <Form hx-post={`/api/organizations/${organization.id}/invitations`}>
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
        <SelectField label="Role" name="role" id="invite-role" options={roleOptions(grantable)} value="editor" />
      </div>
      <DialogButtons dialog={id} submit="Send invitation" />
    </Form>
  </Dialog>
)
