import type { Children } from '@kitajs/html'
import { Form, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'

type AloneDialogProps = {
  id: string
  title: string
  submit: string
  /** Of its only field. */
  codeId: string
  /** Hidden fields. */
  children?: Children
} & Omit<JSX.HtmlFormTag, 'children' | 'id' | 'title'>

/** Asks an owner for their second factor, where no one else can approve. */
export const AloneDialog = ({ id, title, submit, codeId, children, ...form }: AloneDialogProps) => (
  <Dialog id={id} title={title}>
    <Form {...form}>
      <div class="body">
        {children}
        <TextField
          label="Code"
          name="code"
          id={codeId}
          required
          autofocus
          autocomplete="one-time-code"
          hint="From your authenticator app, or a recovery code"
        />
      </div>
      <DialogButtons dialog={id} submit={submit} />
    </Form>
  </Dialog>
)
