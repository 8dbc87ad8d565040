import { Form, TextField } from '#views/ui/form.tsx'
import { DialogButtons } from '#views/ui/overlays.tsx'
import { refreshesOnClose, setUpTotpDialog } from '../security-place.ts'

interface NewAuthenticatorProps {
  secret: string
  /** SVG. */
  qr: string
}

/** The second step of the dialog: the code to scan, and the field for the first code. */
export const NewAuthenticator = ({ secret, qr }: NewAuthenticatorProps) => (
  <Form hx-post="/api/auth/me/totp/confirm" hx-target="this" hx-swap="outerHTML">
    <div class="body" {...refreshesOnClose}>
      <p>Scan this with an authenticator app, then enter the code that it shows.</p>
      <img class="qr" src={`data:image/svg+xml;base64,${btoa(qr)}`} alt="QR code for an authenticator app" />
      <details class="unfold">
        <summary>Can’t scan it?</summary>
        <div class="stack">
          <p class="small muted">Enter this key in the app:</p>
          <code class="wrap-anywhere" data-secret>
            {(secret.match(/.{1,4}/g) ?? []).map((group) => (
              <span safe>{group}</span>
            ))}
          </code>
        </div>
      </details>
      <TextField
        label="Code from the app"
        name="code"
        id="totp-code"
        inputmode="numeric"
        autocomplete="one-time-code"
        maxlength={10}
        required
        autofocus
      />
    </div>
    <DialogButtons dialog={setUpTotpDialog} submit="Turn on" />
  </Form>
)
