import type { ProofMethods, SecondFactors } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Form } from '#views/ui/form.tsx'
import { Time } from '#views/ui/time.tsx'
import { replacesSecurity } from '../security-place.ts'
import { ProofField } from './proof-field.tsx'

export const totpPlace = 'authenticator'

export const Totp = ({ factors: { totp, proofMethods } }: { factors: SecondFactors }) => (
  <section class="section" aria-labelledby="totp">
    <h2 id="totp">Authenticator app</h2>
    {totp.since ? <On {...totp} since={totp.since} ways={proofMethods} /> : <Off ways={proofMethods} />}
  </section>
)

const settingUp = 'set-up-totp'

const Off = ({ ways }: { ways: ProofMethods }) => (
  <div class="stack" id={totpPlace}>
    <p class="muted">Requires a code from your phone in addition to your password.</p>
    <div class="actions">
      <Button label="Set up" commandfor={settingUp} command="show-modal" />
    </div>
    <Dialog id={settingUp} title="Set up an authenticator app?">
      <Form hx-post="/api/auth/me/totp" hx-target={`#${totpPlace}`} hx-swap="outerHTML">
        <div class="body">
          <p>You’ll need your phone. First, confirm that it’s you.</p>
          <ProofField id={settingUp} ways={ways} autofocus />
        </div>
        <DialogButtons dialog={settingUp} submit="Continue" />
      </Form>
    </Dialog>
  </div>
)

const removing = 'remove-totp'
const renewing = 'renew-codes'

interface OnProps {
  since: string
  recoveryCodes: number
  ways: ProofMethods
}

const On = ({ since, recoveryCodes, ways }: OnProps) => (
  <div class="stack" id={totpPlace}>
    <ul class="list" aria-label="Codes">
      <li>
        <span class="grow">
          On
          <small>
            Since <Time at={since} />
          </small>
        </span>
        <Button label="Remove" size="sm" variant="quiet-danger" commandfor={removing} command="show-modal" />
      </li>
      <li>
        <span class="grow">
          Recovery codes
          <small>{recoveryCodes} left</small>
        </span>
        <Button label="Create new codes" size="sm" commandfor={renewing} command="show-modal" />
      </li>
    </ul>
    <Dialog id={removing} title="Remove the authenticator app?">
      <Form hx-delete="/api/auth/me/totp" {...replacesSecurity}>
        <div class="body">
          <p>You’ll no longer be asked for a code when you sign in, and your recovery codes stop working.</p>
          <ProofField id={removing} ways={ways} autofocus />
        </div>
        <DialogButtons dialog={removing} submit="Remove" danger />
      </Form>
    </Dialog>
    <Dialog id={renewing} title="Create new recovery codes?">
      <Form hx-post="/api/auth/me/recovery-codes" hx-target={`#${totpPlace}`} hx-swap="outerHTML">
        <div class="body">
          <p>Your current codes will stop working.</p>
          <ProofField id={renewing} ways={ways} autofocus />
        </div>
        <DialogButtons dialog={renewing} submit="Create new codes" />
      </Form>
    </Dialog>
  </div>
)
