import type { EmailChange, EmailChangeLink, ProofMethods } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { TextField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'
import { DoorCard } from '../sign-in/door-card.tsx'
import { ConfirmByLink } from './mailed-link.tsx'
import { ProofField } from '../sign-in/second-factor/proof-field.tsx'

export interface EmailSectionProps {
  email: string
  /** The address that waits to be confirmed. */
  pending: string | null
  ways: ProofMethods
}

/** The address that a person signs in with. */
export const EmailSection = ({ email, pending, ways }: EmailSectionProps) => (
  <section class="section" aria-labelledby="email-change">
    <h2 id="email-change">Email address</h2>
    {pending ? <Waiting email={pending} /> : null}
    <Form class="stack" hx-post="/api/auth/me/email">
      <TextField
        label="New email"
        name="email"
        id="new-email"
        type="email"
        hint={`You sign in with ${email}. We’ll confirm a change with both addresses`}
        autocomplete="email"
        maxlength={254}
        required
      />
      <ProofField id="email-change" ways={ways} />
      <div class="actions">
        <Button label="Change email address" type="submit" />
      </div>
    </Form>
  </section>
)

const Waiting = ({ email }: { email: string }) => (
  <Form class="row" hx-delete="/api/auth/me/email">
    <span class="grow wrap-anywhere" role="status" safe>
      {`${email} isn’t confirmed yet. Open the links that we sent to both addresses.`}
    </span>
    <Button label="Cancel" size="sm" type="submit" />
  </Form>
)

interface ConfirmEmailProps {
  token: string
  /** Null when the link was used, was replaced or has expired. */
  change: EmailChangeLink | null
}

/** The page of the mailed links. */
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
    <DoorCard title="Email address changed">
      <p class="muted wrap-anywhere" role="status" safe>
        {`Sign in with ${change.email} from now on. Your sessions stay signed in.`}
      </p>
      <ButtonLink label="Continue" variant="primary" size="lg" block href="/settings/security" />
    </DoorCard>
  ) : (
    <DoorCard title="One more confirmation">
      <p class="muted" role="status">
        Open the link that we sent to the other address too. Nothing has changed yet.
      </p>
      <ButtonLink label="Continue" size="lg" block href="/settings/security" />
    </DoorCard>
  )
