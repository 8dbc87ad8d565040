import type { ProofWays } from '#identity'
import { Button } from '#views/ui/button.tsx'
import { TextField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'

interface ProofFieldProps {
  /** Of the form, unique in the page. */
  id: string
  ways: ProofWays
}

/** Asks the person to confirm that it is them: by their password, else a code or a passkey. */
export const ProofField = ({ id, ways }: ProofFieldProps) =>
  ways.password ? (
    <TextField
      label="Your password"
      name="password"
      id={`${id}-password`}
      type="password"
      autocomplete="current-password"
      maxlength={256}
      required
    />
  ) : (
    <div class="stack">
      {ways.totp ? <AppCode id={id} /> : <MailedCode id={id} />}
      {ways.passkey ? <ByPasskey /> : null}
    </div>
  )

const codeField = { label: 'Code', name: 'code', autocomplete: 'one-time-code', maxlength: 40 } as const

const AppCode = ({ id }: { id: string }) => (
  <TextField {...codeField} id={`${id}-code`} hint="From your authenticator app, or a recovery code" />
)

const MailedCode = ({ id }: { id: string }) => (
  <>
    <TextField {...codeField} id={`${id}-code`} inputmode="numeric" hint="We send it to your e-mail address" />
    <div class="actions">
      <Button label="E-mail me a code" size="sm" type="submit" form={mailForm} formnovalidate />
    </div>
  </>
)

const mailForm = 'mail-proof-code'

/** The form behind “E-mail me a code”, once in a page with such fields: forms don’t nest. */
export const ProofMail = ({ ways }: { ways: ProofWays }) =>
  ways.password || ways.totp ? (
    <></>
  ) : (
    <Form id={mailForm} hx-post="/api/auth/me/proof-code">
      {''}
    </Form>
  )

const ByPasskey = () => (
  <passkey-proof data-options="/api/auth/me/passkeys/proof-options" class="stack" hidden>
    <input type="hidden" name="passkey" />
    <div class="actions">
      <Button label="Use a passkey instead" icon="fingerprint" size="sm" />
      <span class="muted small" role="status" />
    </div>
  </passkey-proof>
)
