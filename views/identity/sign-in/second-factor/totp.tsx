import type { ProofMethods, SecondFactors } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import type { StatusLook } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons, MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { Setting, SettingsSection } from '#views/ui/settings.tsx'
import { Time } from '#views/ui/time.tsx'
import { replacesSecurity, setUpTotpDialog } from '../security-place.ts'
import { ProofField } from './proof-field.tsx'

/** The authenticator app and its recovery codes. */
export const Totp = ({ factors: { totp, proofMethods } }: { factors: SecondFactors }) => (
  <SettingsSection
    id="two-factor"
    title="Two-factor authentication"
    text="A code after your password. Signing in with a passkey already counts as both factors."
  >
    {totp.since ? <On {...totp} since={totp.since} ways={proofMethods} /> : <Off ways={proofMethods} />}
  </SettingsSection>
)

const Off = ({ ways }: { ways: ProofMethods }) => (
  <>
    <div class="card">
      <ul class="list" aria-label="Two-factor authentication">
        <Setting
          icon="smartphone"
          name="Authenticator app"
          detail="Shows the codes, such as 1Password or Google Authenticator"
        >
          <Button
            label="Set up"
            aria-label="Set up an authenticator app"
            size="sm"
            commandfor={setUpTotpDialog}
            command="show-modal"
          />
        </Setting>
      </ul>
    </div>
    <Dialog id={setUpTotpDialog} title="Set up an authenticator app">
      <Form hx-post="/api/auth/me/totp" hx-target="this" hx-swap="outerHTML">
        <div class="body">
          <p>You’ll need your phone. First, confirm that it’s you.</p>
          <ProofField id={setUpTotpDialog} ways={ways} autofocus />
        </div>
        <DialogButtons dialog={setUpTotpDialog} submit="Continue" />
      </Form>
    </Dialog>
  </>
)

const removing = 'remove-totp'
const renewing = 'renew-codes'

/** Fewer recovery codes are a warning. */
const fewCodes = 3

const codesLook = (left: number): StatusLook =>
  left < fewCodes
    ? { state: 'waiting', icon: 'triangle-alert', word: `${left} left` }
    : { state: 'published', icon: 'circle-check', word: `${left} left` }

interface OnProps {
  since: string
  recoveryCodes: number
  ways: ProofMethods
}

const On = ({ since, recoveryCodes, ways }: OnProps) => (
  <>
    <div class="card">
      <ul class="list" aria-label="Two-factor authentication">
        <Setting
          icon="smartphone"
          name="Authenticator app"
          status={{ state: 'published', icon: 'circle-check', word: 'On' }}
          detail={
            <>
              Since <Time at={since} form="longDay" />
            </>
          }
        >
          <RowMenu id="totp-menu" label="More about the authenticator app">
            <MenuItem label="Remove" icon="trash-2" danger commandfor={removing} command="show-modal" />
          </RowMenu>
        </Setting>
        <Setting
          icon="key-round"
          name="Recovery codes"
          status={codesLook(recoveryCodes)}
          detail="Each one signs you in once without your phone"
        >
          <Button label="Get new codes" size="sm" commandfor={renewing} command="show-modal" />
        </Setting>
      </ul>
    </div>
    <Dialog id={removing} title="Remove the authenticator app?">
      <Form hx-delete="/api/auth/me/totp" {...replacesSecurity}>
        <div class="body">
          <p>You’ll no longer be asked for a code when you sign in, and your recovery codes stop working.</p>
          <ProofField id={removing} ways={ways} autofocus />
        </div>
        <DialogButtons dialog={removing} submit="Remove" danger />
      </Form>
    </Dialog>
    <Dialog id={renewing} title="Get new recovery codes?">
      <Form hx-post="/api/auth/me/recovery-codes" hx-target="this" hx-swap="outerHTML">
        <div class="body">
          <p>Your current codes will stop working.</p>
          <ProofField id={renewing} ways={ways} autofocus />
        </div>
        <DialogButtons dialog={renewing} submit="Get new codes" />
      </Form>
    </Dialog>
  </>
)
