import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { refreshesOnClose } from '../security-place.ts'

/** The last step of the dialog. */
export const NewRecoveryCodes = ({ codes }: { codes: string[] }) => (
  <copy-text {...refreshesOnClose}>
    <div class="body">
      <Notice
        tone="warning"
        title="Save these recovery codes now"
        text="Each one signs you in once if you don’t have your authenticator app. You won’t see them again."
      />
      <output class="codes" aria-label="Recovery codes">
        {codes.map((code, at) => (
          <span safe>{at === 0 ? code : `\n${code}`}</span>
        ))}
      </output>
      <div class="actions">
        <Button label="Copy codes" icon="copy" size="sm" data-copy />
        <span class="muted small" role="status" />
      </div>
    </div>
    <form method="dialog">
      <footer>
        <Button label="I’ve saved them" variant="primary" type="submit" />
      </footer>
    </form>
  </copy-text>
)
