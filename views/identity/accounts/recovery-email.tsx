import type { ProofMethods, RecoveryEmail, RecoveryEmailLink } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import type { StatusLook } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons, MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { Setting } from '#views/ui/settings.tsx'
import { DoorCard } from '../sign-in/door-card.tsx'
import { ConfirmByLink } from './mailed-link.tsx'
import { ProofField } from '../sign-in/second-factor/proof-field.tsx'

const place = 'recovery-status'
const replacesRow = { 'hx-target': `#${place}`, 'hx-swap': 'outerMorph' } as const
const changing = 'change-recovery'
const removing = 'remove-recovery'

const looks: Record<RecoveryEmail['status'], StatusLook | undefined> = {
  missing: undefined,
  pending: { state: 'waiting', icon: 'hourglass', word: 'Not confirmed yet' },
  verified: { state: 'published', icon: 'circle-check', word: 'Confirmed' },
}

/** The row of the address that also receives password resets. */
export const RecoveryStatus = ({ recovery: { email, status } }: { recovery: RecoveryEmail }) => (
  <Setting
    id={place}
    icon="mail"
    name="Recovery email"
    status={looks[status]}
    detail={<span safe>{email ?? 'Also receives password resets'}</span>}
  >
    {email === null ? (
      <Button label="Add" aria-label="Add recovery email" size="sm" commandfor={changing} command="show-modal" />
    ) : (
      <RowMenu id="recovery-menu" label="More about the recovery email">
        <MenuItem label="Change" icon="pen-line" commandfor={changing} command="show-modal" />
        <MenuItem label="Remove" icon="trash-2" danger commandfor={removing} command="show-modal" />
      </RowMenu>
    )}
  </Setting>
)

export const RecoveryDialogs = ({ ways }: { ways: ProofMethods }) => (
  <>
    <Dialog id={changing} title="Set your recovery email">
      <Form hx-put="/api/auth/me/recovery-email" {...replacesRow}>
        <div class="body">
          <TextField
            label="Recovery email"
            name="email"
            id="recovery-email"
            type="email"
            hint="A personal address that no one else at work can read. We’ll send it a link to confirm"
            autocomplete="email"
            maxlength={254}
            required
            autofocus
          />
          <ProofField id={changing} ways={ways} />
        </div>
        <DialogButtons dialog={changing} submit="Send link" />
      </Form>
    </Dialog>
    <Dialog id={removing} title="Remove your recovery email?">
      <Form hx-put="/api/auth/me/recovery-email" {...replacesRow}>
        <input type="hidden" name="email" value="" />
        <div class="body">
          <p>Password resets will only be sent to the address that you sign in with.</p>
          <ProofField id={removing} ways={ways} autofocus />
        </div>
        <DialogButtons dialog={removing} submit="Remove" danger />
      </Form>
    </Dialog>
  </>
)

interface ConfirmRecoveryProps {
  token: string
  /** Null when the link was used, was replaced or has expired. */
  link: RecoveryEmailLink | null
}

export const ConfirmRecovery = ({ token, link }: ConfirmRecoveryProps) => (
  <ConfirmByLink
    title="Confirm your recovery email"
    promise={link && `We’ll send password resets to ${link.email}, too.`}
    path="/api/auth/recovery-email/confirm"
    token={token}
  />
)

export const RecoveryConfirmed = () => (
  <DoorCard
    title="Your recovery email is confirmed"
    icon="check"
    lead={<span role="status">Password resets will be sent there, too.</span>}
  >
    <ButtonLink label="Continue" variant="primary" size="lg" block href="/settings/security" />
  </DoorCard>
)
