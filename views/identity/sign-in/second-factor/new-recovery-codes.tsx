import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { backToSecurity } from '../security-place.ts'
import { totpPlace } from './totp.tsx'

export const NewRecoveryCodes = ({ codes }: { codes: string[] }) => (
  <copy-text class="stack" id={totpPlace}>
    <Notice
      tone="warning"
      title="Save your recovery codes"
      text="Use one of these codes to sign in if you don’t have your authenticator app. Each works once. You won’t be able to see them again."
    />
    <output class="mono codes" aria-label="Recovery codes" safe>
      {codes.join('\n')}
    </output>
    <div class="actions">
      <Button label="Copy codes" icon="copy" data-copy />
      <ButtonLink label="Done" variant="primary" {...backToSecurity} />
      <span class="muted small" role="status" />
    </div>
  </copy-text>
)
