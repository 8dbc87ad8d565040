import { Button } from '#views/ui/button.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { UsePasskey } from '../passkeys/use-passkey.tsx'

interface SecondFactorNeededProps {
  requiredBy: string[]
  has: { totp: boolean; passkeys: boolean }
}

export const SecondFactorNeeded = ({ requiredBy, has }: SecondFactorNeededProps) =>
  requiredBy.length === 0 ? (
    <></>
  ) : (
    <Notice
      tone="warning"
      title={`${new Intl.ListFormat('en').format(requiredBy)} ${requiredBy.length === 1 ? 'requires' : 'require'} two-factor authentication`}
      text={has.totp || has.passkeys ? 'Enter a code to continue.' : wayToOne}
    >
      <div class="stack">
        {has.totp ? <ShowCode /> : null}
        {has.passkeys ? <UsePasskey /> : null}
      </div>
    </Notice>
  )

const wayToOne = 'Add a passkey or an authenticator app below to continue.'

const ShowCode = () => (
  <Form class="stack" hx-post="/api/auth/me/second-factor">
    <TextField
      label="Code"
      name="code"
      id="step-up-code"
      hint="Six digits from your authenticator app, or a recovery code"
      autocomplete="one-time-code"
      maxlength={40}
      required
    />
    <div class="actions">
      <Button label="Continue" variant="primary" type="submit" />
    </div>
  </Form>
)
