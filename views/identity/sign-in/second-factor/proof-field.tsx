import type { ProofMethods } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { TextField } from '#views/ui/form.tsx'

interface ProofFieldProps {
  id: string
  ways: ProofMethods
  autofocus?: boolean
}

export const ProofField = ({ id, ways, autofocus }: ProofFieldProps) =>
  ways.password ? (
    <TextField
      label="Your password"
      name="password"
      id={`${id}-password`}
      type="password"
      autocomplete="current-password"
      maxlength={256}
      required
      autofocus={autofocus}
    />
  ) : (
    <div class="stack">
      {ways.totp ? <AppCode id={id} autofocus={autofocus} /> : <MailedCode id={id} autofocus={autofocus} />}
      {ways.passkey ? <ByPasskey /> : null}
    </div>
  )

const codeField = { label: 'Code', name: 'code', autocomplete: 'one-time-code', maxlength: 40 } as const

type CodeProps = Pick<ProofFieldProps, 'id' | 'autofocus'>

const AppCode = ({ id, autofocus }: CodeProps) => (
  <TextField
    {...codeField}
    id={`${id}-code`}
    hint="From your authenticator app, or a recovery code"
    autofocus={autofocus}
  />
)

const MailedCode = ({ id, autofocus }: CodeProps) => (
  <>
    <TextField
      {...codeField}
      id={`${id}-code`}
      inputmode="numeric"
      hint="We’ll send it to your email address"
      autofocus={autofocus}
    />
    <div class="actions">
      <Button
        label="Email me a code"
        size="sm"
        hx-post="/api/auth/me/proof-code"
        hx-target={`#${id}-mailed`}
        hx-swap="innerHTML"
        hx-sync="this:drop"
        data-sends-nothing
        {...refused(`#${id}-mailed`)}
      />
    </div>
    <div id={`${id}-mailed`} class="small" role="status" data-answer />
  </>
)

/** Errors are shown inside the dialog, which would hide them elsewhere. */
const refused = (place: string) => ({
  'hx-status:4xx': `target:${place} swap:innerHTML`,
  'hx-status:5xx': `target:${place} swap:innerHTML`,
})

export const ProofCodeMailed = ({ email }: { email: string }) => (
  <p class="wrap-anywhere" safe>
    {`We sent a code to ${email}. It expires in 10 minutes.`}
  </p>
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
