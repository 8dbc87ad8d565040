import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Next } from '../next.tsx'

interface UsePasskeyProps {
  next?: string
  other?: boolean
}

export const UsePasskey = ({ next, other }: UsePasskeyProps) => (
  <passkey-form data-options="/api/auth/passkeys/options" class="stack" hidden>
    {other ? <p class="or">or</p> : null}
    <Form hx-post="/api/auth/passkeys/verify">
      <Next path={next} />
      <input type="hidden" name="credential" />
      <Button label="Use a passkey" icon="fingerprint" size="lg" block type="submit" />
      <p class="muted small" role="status" />
    </Form>
  </passkey-form>
)
