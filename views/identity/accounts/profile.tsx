import type { Me } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { ReadOnlyField, TextField, Form } from '#views/ui/form.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { DeleteAccount, type DeleteAccountProps } from '../deletion/delete-account.tsx'
import { Households, type HouseholdsProps } from '../organizations/households.tsx'

export type ProfileProps = Pick<Me, 'user'> & Pick<DeleteAccountProps, 'ways'> & HouseholdsProps

export const Profile = ({ user, ways, ...kept }: ProfileProps) => (
  <div class="page stack" style="--measure: 36rem; --gap: var(--space-8)">
    <ProfileSection user={user} />
    <Households {...kept} />
    <DeleteAccount user={user} ways={ways} />
  </div>
)

export const ProfileSection = ({ user }: Pick<Me, 'user'>) => (
  <section class="section" id="profile-section" aria-labelledby="profile">
    <h2 id="profile">Name and email</h2>
    <Form class="stack" hx-put="/api/auth/me" hx-target="#profile-section" hx-swap="outerMorph">
      <TextField
        label="Your name"
        name="name"
        value={user.name}
        hint="Visible to your teammates"
        autocomplete="name"
        maxlength={100}
        required
      />
      <ReadOnlyField
        label="Email"
        id="email"
        type="email"
        value={user.email}
        hint={user.emailVerified ? 'Used to sign in' : 'Used to sign in. Not verified yet'}
        autocomplete="username"
      />
      <div class="actions">
        <Button label="Save" variant="primary" type="submit" />
      </div>
    </Form>
    {user.emailVerified ? null : <Unverified email={user.email} />}
  </section>
)

const Unverified = ({ email }: { email: string }) => (
  <Notice
    tone="warning"
    title="Your email address isn’t verified"
    text="Apps that you sign in to can’t see it. To verify it, sign in once with an email link."
  >
    <Form hx-post="/api/auth/magic-link" hx-target="closest .notice" hx-swap="outerHTML">
      <input type="hidden" name="email" value={email} />
      <input type="hidden" name="next" value="/settings/profile" />
      <Button label="Email me a link" size="sm" type="submit" />
    </Form>
  </Notice>
)
