import { Button, ButtonLink } from '#views/ui/button.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { backToSecurity } from '../security-place.ts'
import { totpPlace } from './totp.tsx'

interface NewAuthenticatorProps {
  secret: string
  /** SVG. */
  qr: string
}

export const NewAuthenticator = ({ secret, qr }: NewAuthenticatorProps) => (
  <div class="stack" id={totpPlace}>
    <p>Scan this with an authenticator app, then enter the code that it shows.</p>
    <img
      src={`data:image/svg+xml;base64,${btoa(qr)}`}
      width="196"
      height="196"
      alt="QR code for an authenticator app"
    />
    <dl class="facts">
      <dt>Can’t scan? Enter this key</dt>
      <dd class="mono wrap-anywhere" safe>
        {secret}
      </dd>
    </dl>
    <Form class="stack" hx-post="/api/auth/me/totp/confirm" hx-target={`#${totpPlace}`} hx-swap="outerHTML">
      <TextField
        label="Code"
        name="code"
        id="totp-code"
        inputmode="numeric"
        autocomplete="one-time-code"
        maxlength={10}
        required
        autofocus
      />
      <div class="actions">
        <Button label="Turn on" variant="primary" type="submit" />
        <ButtonLink label="Cancel" variant="ghost" {...backToSecurity} />
      </div>
    </Form>
  </div>
)
