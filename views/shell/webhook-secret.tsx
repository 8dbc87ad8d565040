import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/notice.tsx'

interface WebhookSecretProps {
  secret?: string
  /** The webhook's page. */
  done: string
}

/** Replaces the form with the new signing secret; a response replayed by its idempotency key has none. */
export const WebhookSecret = ({ secret, done }: WebhookSecretProps) => (
  <made-key data-title="Your new signing secret">
    <div class="body">
      {secret ? (
        <>
          <Notice
            tone="warning"
            title="Copy the signing secret now"
            text="You won’t be able to see it again. Use it to verify that events come from Atrium."
          />
          <output class="mono wrap-anywhere" aria-label="Signing secret" safe>
            {secret}
          </output>
          <p class="muted small">Works with any Standard Webhooks library.</p>
        </>
      ) : (
        <Notice title="This secret was already shown" text="If you lost it, rotate it." />
      )}
    </div>
    <footer>
      <span class="muted small" role="status" />
      <ButtonLink label="Done" variant="ghost" href={done} />
      {secret ? <Button label="Copy secret" icon="copy" variant="primary" autofocus data-copy /> : null}
    </footer>
  </made-key>
)
