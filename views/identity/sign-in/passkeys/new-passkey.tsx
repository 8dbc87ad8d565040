import { Form, TextField } from '#views/ui/form.tsx'
import { DialogButtons } from '#views/ui/overlays.tsx'
import { addPasskeyDialog, refreshesOnClose, replacesSecurity } from '../security-place.ts'

/** The last step of adding a passkey, in the dialog: its name, and the device that creates it. */
export const NewPasskey = ({ options }: { options: object }) => (
  <passkey-form data-create data-creation-options={JSON.stringify(options)} {...refreshesOnClose}>
    <Form hx-post="/api/auth/me/passkeys" {...replacesSecurity}>
      <div class="body">
        <input type="hidden" name="credential" />
        <TextField
          label="Name"
          name="name"
          id="passkey-name"
          hint="So you can tell your devices apart"
          value="This device"
          maxlength={100}
          autocomplete="off"
          required
          autofocus
        />
        <p class="muted small" role="status" />
      </div>
      <DialogButtons dialog={addPasskeyDialog} submit="Create passkey" />
    </Form>
  </passkey-form>
)
