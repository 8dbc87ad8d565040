import type { EmailChange, EmailChangeLink, OwnEmail, ProofMethods } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { DoorCard } from '../sign-in/door-card.tsx'
import { ConfirmByLink } from './mailed-link.tsx'
import { ProofField } from '../sign-in/second-factor/proof-field.tsx'

interface EmailSectionProps {
  email: OwnEmail
  ways: ProofMethods
}

export const EmailSection = ({ email, ways }: EmailSectionProps) => (
  <section class="section" id="email-section" aria-labelledby="email-change">
    <h2 id="email-change">Email address</h2>
    <EmailStatus email={email} />
    <Form class="stack" hx-post="/api/auth/me/email" hx-target="#email-section" hx-swap="outerMorph">
      <TextField
        label="New email"
        name="email"
        id="new-email"
        type="email"
        hint="We’ll confirm the change with both addresses"
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

export const EmailStatus = ({ email: { email, pending } }: { email: OwnEmail }) => (
  <div class="stack" id="email-status">
    <p class="muted wrap-anywhere" safe>{`You sign in with ${email}.`}</p>
    {pending ? <Pending email={pending} /> : null}
  </div>
)

const Pending = ({ email }: { email: string }) => (
  <Form class="row" hx-delete="/api/auth/me/email" hx-target="#email-status" hx-swap="outerMorph">
    <span class="grow wrap-anywhere" role="status" safe>
      {`${email} isn’t confirmed yet. Open the links we sent to both addresses.`}
    </span>
    <Button label="Cancel" size="sm" type="submit" />
  </Form>
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
