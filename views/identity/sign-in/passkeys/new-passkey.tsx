import { Button, ButtonLink } from '#views/ui/button.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { backToSecurity, replacesSecurity } from '../security-place.ts'

export const passkeyPlace = 'new-passkey'

/** `options` are those of WebAuthn. */
export const NewPasskey = ({ options }: { options: object }) => (
  <passkey-form id={passkeyPlace} data-create data-creation-options={JSON.stringify(options)}>
    <Form class="stack" hx-post="/api/auth/me/passkeys" {...replacesSecurity}>
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
      <div class="actions">
        <Button label="Create passkey" variant="primary" icon="fingerprint" type="submit" />
        <ButtonLink label="Cancel" variant="ghost" {...backToSecurity} />
        <span class="muted small" role="status" />
      </div>
    </Form>
  </passkey-form>
)
