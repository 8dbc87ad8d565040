import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Next } from '../next.tsx'

export const UsePasskey = ({ next }: { next?: string }) => (
  <passkey-form data-options="/api/auth/passkeys/options">
    <Form hx-post="/api/auth/passkeys/verify">
      <Next path={next} />
      <input type="hidden" name="credential" />
      <Button label="Use a passkey" icon="fingerprint" size="lg" block type="submit" />
      <p class="muted small" role="status" />
    </Form>
  </passkey-form>
)
