import type { EmailChange, EmailChangeLink, OwnEmail, ProofMethods } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { StatusMark } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Setting, SettingName } from '#views/ui/settings.tsx'
import { Time } from '#views/ui/time.tsx'
import { DoorCard } from '../sign-in/door-card.tsx'
import { ConfirmByLink } from './mailed-link.tsx'
import { ProofField } from '../sign-in/second-factor/proof-field.tsx'

const place = 'email-status'
const replacesRow = { 'hx-target': `#${place}`, 'hx-swap': 'outerMorph' } as const
const changing = 'change-email'

/** The row of the address that a person signs in with; a pending change opens in it. */
export const EmailStatus = ({ email: { email, pending } }: { email: OwnEmail }) =>
  pending ? (
    <li id={place}>
      <details class="setting" open>
        <summary>
          <SettingName
            icon="mail"
            name="Email"
            status={{ state: 'waiting', icon: 'hourglass', word: 'Change pending' }}
            detail={<span safe>{email}</span>}
          />
          <Icon name="chevron-down" />
        </summary>
        <Pending email={email} pending={pending} />
      </details>
    </li>
  ) : (
    <Setting id={place} icon="mail" name="Email" detail={<span safe>{email}</span>}>
      <Button label="Change" aria-label="Change email" size="sm" commandfor={changing} command="show-modal" />
    </Setting>
  )

const Pending = ({ email, pending }: { email: string; pending: NonNullable<OwnEmail['pending']> }) => (
  <div class="body">
    <p class="small">
      You’ll sign in with{' '}
      <b class="wrap-anywhere" safe>
        {pending.email}
      </b>{' '}
      once both addresses have confirmed it. The links expire on <Time at={pending.expiresAt} />.
    </p>
    <div class="stack" style="--gap: 0.25rem">
      <Confirmation address={pending.email} isConfirmed={pending.confirmed.new} />
      <Confirmation address={email} isConfirmed={pending.confirmed.current} />
    </div>
    <Form class="actions" hx-delete="/api/auth/me/email" {...replacesRow}>
      <Button label="Cancel change" size="sm" type="submit" />
    </Form>
  </div>
)

const Confirmation = ({ address, isConfirmed }: { address: string; isConfirmed: boolean }) =>
  isConfirmed ? (
    <StatusMark state="published" icon="circle-check" word={`${address} confirmed`} />
  ) : (
    <StatusMark state="waiting" icon="hourglass" word={`${address} not yet`} />
  )

export const ChangeEmailDialog = ({ ways }: { ways: ProofMethods }) => (
  <Dialog id={changing} title="Change your email address">
    <Form hx-post="/api/auth/me/email" {...replacesRow}>
      <div class="body">
        <TextField
          label="New email"
          name="email"
          id="new-email"
          type="email"
          hint="We’ll confirm the change with both addresses"
          autocomplete="email"
          maxlength={254}
          required
          autofocus
        />
        <ProofField id={changing} ways={ways} />
      </div>
      <DialogButtons dialog={changing} submit="Send links" />
    </Form>
  </Dialog>
)

interface ConfirmEmailProps {
  token: string
  /** Null when the link was used, was replaced or has expired. */
  change: EmailChangeLink | null
}

export const ConfirmEmail = ({ token, change }: ConfirmEmailProps) => (
  <ConfirmByLink
    title="Confirm your new email address"
    promise={change && `You’ll sign in with ${change.to} instead of ${change.from}.`}
    path="/api/auth/email-change/confirm"
    token={token}
  />
)

export const EmailConfirmed = ({ change }: { change: EmailChange }) =>
  change.status === 'changed' ? (
    <DoorCard
      title="Email address changed"
      icon="check"
      lead={
        <span role="status">
          From now on, sign in with <b safe>{change.email}</b>. Your sessions stay signed in.
        </span>
      }
    >
      <ButtonLink label="Continue" variant="primary" size="lg" block href="/settings/security" />
    </DoorCard>
  ) : (
    <DoorCard
      title="One more confirmation"
      icon="mail"
      lead={<span role="status">Now open the link we sent to the other address. Nothing has changed yet.</span>}
    >
      <ButtonLink label="Continue" size="lg" block href="/settings/security" />
    </DoorCard>
  )
