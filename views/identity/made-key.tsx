import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/notice.tsx'

/** A new key's text, this once; an answer that was asked for again has none. It takes the place of the form. */
export const MadeKey = ({ text, done = '/settings/keys' }: { text?: string; done?: string }) => (
  <made-key>
    <div class="body">
      {text ? (
        <>
          <Notice
            tone="warning"
            title="Copy it now"
            text="It is shown this once. Atrium keeps only what it recognizes it by."
          />
          <output class="mono" aria-label="The new key" safe>
            {text}
          </output>
          <p class="muted small">
            Programs send it as <code>Authorization: Bearer …</code>, never in an address.
          </p>
        </>
      ) : (
        <Notice title="This key was made and shown before" text="If its text is lost, rotate the key." />
      )}
    </div>
    <footer>
      <span class="muted small" role="status" />
      <ButtonLink label="Done" variant="ghost" href={done} />
      {text ? <Button label="Copy key" icon="copy" variant="primary" autofocus data-copy /> : null}
    </footer>
  </made-key>
)
