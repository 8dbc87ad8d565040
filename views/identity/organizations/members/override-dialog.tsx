import { Button } from '#views/ui/button.tsx'
import { Dialog } from '#views/ui/dialog.tsx'
import { Field, SelectField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'
import type { MemberPermissionsProps } from './member-permissions.tsx'
import { titleOf } from '../permission-name.ts'

/** The dialog's id. */
export const exceptionDialog = 'new-exception'

const effects = [
  { value: 'grant', label: 'Allow' },
  { value: 'deny', label: 'Deny' },
]

/** Asks what a member may beside their role, or may not. */
export const ExceptionDialog = ({ organizationId, member, entries, held }: MemberPermissionsProps) => (
  <Dialog id={exceptionDialog} title={`Add an override for ${member.name}`}>
    <Form hx-post={`/api/organizations/${organizationId}/members/${member.id}/overrides`}>
      <div class="body">
        <SelectField
          label="Permission"
          name="permission"
          options={entries
            .filter(({ permission }) => held.includes(permission))
            .map((entry) => ({ value: entry.permission, label: titleOf(entry) }))}
          hint="Only permissions that you have yourself"
          required
        />
        <SelectField label="Effect" name="effect" options={effects} value="grant" />
        <Field label="Reason" id="reason" hint="Shown where permissions are explained">
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
      <footer>
        <Button label="Cancel" variant="ghost" commandfor={exceptionDialog} command="close" />
        <Button label="Add" variant="primary" type="submit" />
      </footer>
    </Form>
  </Dialog>
)
