import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/notice.tsx'

interface WebhookSecretProps {
  secret?: string
  /** The webhook's page. */
  done: string
}

/** A new signing secret, this once; an answer that was asked for again has none. It takes the place of the form. */
export const WebhookSecret = ({ secret, done }: WebhookSecretProps) => (
  <made-key>
    <div class="body">
      {secret ? (
        <>
          <Notice
            tone="warning"
            title="Copy the signing secret now"
            text="It is shown this once. Your server verifies with it that events come from Atrium."
          />
          <output class="mono wrap-anywhere" aria-label="The signing secret" safe>
            {secret}
          </output>
          <p class="muted small">Any library for Standard Webhooks takes it as it is.</p>
        </>
      ) : (
        <Notice title="This secret was made and shown before" text="If it is lost, rotate the secret." />
      )}
    </div>
    <footer>
      <span class="muted small" role="status" />
      <ButtonLink label="Done" variant="ghost" href={done} />
      {secret ? <Button label="Copy secret" icon="copy" variant="primary" autofocus data-copy /> : null}
    </footer>
  </made-key>
)
