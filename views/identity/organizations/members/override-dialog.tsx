import type { PermissionInspection } from '#identity/types'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Field, SelectField, Form } from '#views/ui/form.tsx'
import { isPlannedPermission } from '../../planned-services.ts'
import { shortName, titleOf } from '../permission-name.ts'

export const overrideDialog = 'new-override'

const effects = [
  { value: 'grant', label: 'Allow' },
  { value: 'deny', label: 'Deny' },
]

interface OverrideDialogProps {
  name: string
  inspection: PermissionInspection
}

export const OverrideDialog = ({ name, inspection: { organizationId, userId, entries } }: OverrideDialogProps) => (
  <Dialog id={overrideDialog} title={`Add an override for ${name}`}>
    <Form
      hx-post={`/api/organizations/${organizationId}/members/${userId}/overrides`}
      hx-target="#permissions"
      hx-swap="outerMorph"
    >
      <div class="body">
        <SelectField
          label="Permission"
          name="permission"
          options={entries
            .filter((entry) => entry.can.grant && !isPlannedPermission(entry.service, shortName(entry)))
            .map((entry) => ({ value: entry.permission, label: titleOf(entry) }))}
          hint="You can only override permissions that you have"
          required
        />
        <SelectField label="Effect" name="effect" options={effects} value="grant" />
        <Field label="Reason" id="reason" hint="Shown in this member’s permissions and in the audit log">
          <textarea
            class="input"
            id="reason"
            name="reason"
            rows="2"
            maxlength={500}
            aria-describedby="reason-hint reason-error"
          />
        </Field>
      </div>
      <DialogButtons dialog={overrideDialog} submit="Add" />
    </Form>
  </Dialog>
)
