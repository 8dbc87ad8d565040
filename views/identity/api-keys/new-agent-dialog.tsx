import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { SelectField, TextField, Form } from '#views/ui/form.tsx'
import { roleOptions } from '../organizations/roles.ts'

const id = 'new-agent'

export const NewAgentButton = () => <Button label="Add agent" icon="bot" commandfor={id} command="show-modal" />

export const NewAgentDialog = ({ organizationId }: { organizationId: string }) => (
  <Dialog id={id} title="Add an agent">
    <Form hx-post={`/api/organizations/${organizationId}/agents`} hx-target="#member-rows" hx-swap="outerMorph">
      <div class="body">
        <p>A member for programs. It uses API keys and counts as a seat.</p>
        <TextField label="Name" name="name" id="agent-name" maxlength={100} autocomplete="off" required autofocus />
        <SelectField
          label="Role"
          name="role"
          id="agent-role"
          hint="Limits what its API keys can do"
          options={roleOptions(['viewer', 'reviewer', 'editor', 'admin'])}
          value="editor"
        />
      </div>
      <DialogButtons dialog={id} submit="Add agent" />
    </Form>
  </Dialog>
)
