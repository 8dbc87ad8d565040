import { Button } from '#views/ui/button.tsx'
import { Dialog } from '#views/ui/overlays.tsx'
import { Field, Form } from '#views/ui/form.tsx'

interface ReasonDialogProps {
  id: string
  title: string
  text: string
  route: string
  target: string
  action: string
  dismiss?: string
  variant?: 'primary' | 'danger'
}

export const ReasonDialog = ({
  id,
  title,
  text,
  route,
  target,
  action,
  dismiss = 'Cancel',
  variant = 'danger',
}: ReasonDialogProps) => (
  <Dialog id={id} title={title}>
    <Form hx-delete={route} hx-target={target} hx-swap="outerMorph">
      <div class="body stack">
        <p safe>{text}</p>
        <Field label="Reason" id={`${id}-reason`} hint="Sent to the person by email and recorded in the audit log">
          <textarea
            class="input"
            id={`${id}-reason`}
            name="reason"
            rows="3"
            maxlength={500}
            required
            autofocus
            aria-describedby={`${id}-reason-hint ${id}-reason-error`}
          />
        </Field>
      </div>
      <footer>
        <Button label={dismiss} variant="ghost" commandfor={id} command="close" />
        <Button label={action} variant={variant} type="submit" />
      </footer>
    </Form>
  </Dialog>
)
