import type { CallbackSecrets, NewCallbackSecret } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Dialog } from '#views/ui/overlays.tsx'
import { ShownOnce } from '#views/ui/shown-once.tsx'
import { Time } from '#views/ui/time.tsx'

export const secretsDialog = 'callback-secrets'
const route = '/api/pay/callback-secrets'

/** Loads the secrets' endings when it opens. */
export const SecretsDialog = () => (
  <Dialog id={secretsDialog} title="Callback secrets">
    <div id="secrets" hx-get={route} hx-trigger="intersect once" hx-target="this" hx-swap="outerHTML" />
  </Dialog>
)

export const Secrets = ({ secrets: { current, previous, can } }: { secrets: CallbackSecrets }) => (
  <div id="secrets">
    <Form hx-post={route} hx-target="#secrets" hx-swap="innerHTML">
      <div class="body stack">
        <p>Callbacks are signed (Standard Webhooks), so that the receiver can verify them.</p>
        <dl class="facts">
          <dt>Secret</dt>
          <dd>{current ? <code safe>{`whsec_····${current.ending}`}</code> : 'Created with the first callback'}</dd>
          {previous ? (
            <>
              <dt>Previous</dt>
              <dd>
                <code safe>{`whsec_····${previous.ending}`}</code>{' '}
                <small>
                  until <Time at={previous.endsAt} />
                </small>
              </dd>
            </>
          ) : null}
        </dl>
        {can.rotate ? (
          <p class="small muted">After a rotation, callbacks are signed with both secrets for a while.</p>
        ) : null}
      </div>
      <footer>
        <Button label="Close" variant="ghost" commandfor={secretsDialog} command="close" />
        {can.rotate ? <Button label="Rotate secret" variant="primary" type="submit" /> : null}
      </footer>
    </Form>
  </div>
)

export const NewSecret = ({ secret, done }: Pick<NewCallbackSecret, 'secret'> & { done: string }) => (
  <ShownOnce
    secret={secret}
    title="Your new callback secret"
    label="Callback secret"
    copyLabel="Copy secret"
    warning={{
      title: 'Copy the secret now',
      text: 'You won’t be able to see it again. The receiver verifies callbacks with it.',
    }}
    alreadyShown={{ title: 'This secret was already shown', text: 'If you lost it, rotate it.' }}
    done={done}
  >
    Works with any Standard Webhooks library.
  </ShownOnce>
)
