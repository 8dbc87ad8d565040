import type { Me } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Form, SaveFooter } from '#views/ui/form.tsx'
import { Avatar } from '#views/ui/marks.tsx'
import { Setting, SettingsSection } from '#views/ui/settings.tsx'
import { DeleteAccount, type DeleteAccountProps } from '../deletion/delete-account.tsx'
import { Households, type HouseholdsProps } from '../organizations/households.tsx'
import { PreferencesSection, type PreferencesProps } from './preferences.tsx'

export type ProfileProps = Pick<Me, 'user'> & Pick<DeleteAccountProps, 'ways'> & HouseholdsProps & PreferencesProps

export const Profile = ({ user, ways, preferences, now, ...kept }: ProfileProps) => (
  <div class="page settings">
    <ProfileSection user={user} />
    <PreferencesSection preferences={preferences} now={now} />
    <Households {...kept} />
    <YourData user={user} ways={ways} />
  </div>
)

const place = 'profile-section'

export const ProfileSection = ({ user }: Pick<Me, 'user'>) => (
  <SettingsSection id={place} title="Profile" text="Teammates see your name next to your posts and changes.">
    <Form class="card" hx-put="/api/auth/me" hx-target={`#${place}`} hx-swap="outerMorph">
      <ul class="list" aria-label="Profile">
        <li>
          <Avatar name={user.name} seed={user.id} size="xl" />
          <span class="grow">
            <label for="name">Name</label>
          </span>
          <input class="input" id="name" name="name" value={user.name} autocomplete="name" maxlength={100} required />
        </li>
        <Setting
          name="Email"
          detail={<span safe>{user.email}</span>}
          status={user.emailVerified ? undefined : { state: 'waiting', icon: 'hourglass', word: 'Not verified' }}
        >
          <ButtonLink
            label="Change"
            aria-label="Change email in Security"
            size="sm"
            href="/settings/security#addresses"
          />
        </Setting>
      </ul>
      <SaveFooter />
    </Form>
    {user.emailVerified ? null : <Unverified email={user.email} />}
  </SettingsSection>
)

const Unverified = ({ email }: { email: string }) => (
  <Notice
    tone="warning"
    title="Your email address isn’t verified"
    text="Apps that you sign in to can’t see it. To verify it, sign in once with an email link."
  >
    <Form class="actions" hx-post="/api/auth/magic-link" hx-target="closest .notice" hx-swap="outerHTML">
      <input type="hidden" name="email" value={email} />
      <input type="hidden" name="next" value="/settings/profile" />
      <Button label="Email me a link" size="sm" type="submit" />
    </Form>
  </Notice>
)

const YourData = (props: DeleteAccountProps) => (
  <SettingsSection id="your-data" title="Your data" text="Take a copy of your data, or delete your account.">
    <div class="card">
      <ul class="list" aria-label="Your data">
        <Setting name="Export" detail="A ZIP archive of your personal data in JSON format.">
          <ButtonLink label="Export" size="sm" href="/settings/export" />
        </Setting>
        <DeleteAccount {...props} />
      </ul>
    </div>
  </SettingsSection>
)
