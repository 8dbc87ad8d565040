import type { OrganizationDetail } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { SettingsSection } from '#views/ui/settings.tsx'
import { SettingRow, statuses } from '../../organizations/setting-rows.tsx'
import { Form } from '#views/ui/form.tsx'

interface OfOrganization {
  organization: OrganizationDetail
}

const place = 'second-factor-requirement'
const dialog = 'require-second-factor'

export const SecondFactorRequired = ({ organization }: OfOrganization) => (
  <SettingsSection
    id={place}
    title="Second factor"
    text={`If you turn this on, everyone has to sign in with a passkey, or with a password and a code, to open ${organization.name}. API keys aren’t affected.`}
  >
    <div class="card">
      <ul class="list" aria-label="Second factor">
        <SettingRow
          icon="shield-check"
          name="Require a second factor"
          status={organization.requiresSecondFactor ? statuses.on : statuses.off}
          text={readinessOf(organization)}
        >
          {organization.can.update ? <Change organization={organization} /> : null}
        </SettingRow>
      </ul>
    </div>
  </SettingsSection>
)

function readinessOf({ secondFactors }: OrganizationDetail): string | undefined {
  if (!secondFactors) return undefined
  const { people, missing } = secondFactors
  return `${people - missing} of ${people} ${people === 1 ? 'person has' : 'people have'} one`
}

const Change = ({ organization }: OfOrganization) => {
  if (organization.requiresSecondFactor) return <Requirement organization={organization} required={false} />
  return (
    <>
      <Button
        label="Require"
        aria-label="Require a second factor"
        id="require-second-factor-button"
        size="sm"
        commandfor={dialog}
        command="show-modal"
      />
      {organization.can.requireSecondFactor ? <RequireDialog organization={organization} /> : <OwnFirstDialog />}
    </>
  )
}

const Requirement = ({ organization, required }: OfOrganization & { required: boolean }) => (
  <Form hx-put={`/api/organizations/${organization.id}`} hx-target={`#${place}`} hx-swap="outerMorph">
    <input type="hidden" name="requiresSecondFactor" value={String(required)} />
    {required ? (
      <>
        <div class="body">
          <p safe>{consequenceOf(organization)}</p>
        </div>
        <DialogButtons dialog={dialog} submit="Require" focusCancel />
      </>
    ) : (
      <Button label="Make it optional" size="sm" type="submit" />
    )}
  </Form>
)

const RequireDialog = ({ organization }: OfOrganization) => (
  <Dialog id={dialog} title="Require two-factor authentication?">
    <Requirement organization={organization} required />
  </Dialog>
)

function consequenceOf({ name, secondFactors }: OrganizationDetail): string {
  const { people, missing } = secondFactors ?? { people: 0, missing: 0 }
  if (missing === 0) return `All members of ${name} have a second factor. From now on, they sign in with it.`
  const who = `${missing} of ${people} ${people === 1 ? 'member' : 'members'} of ${name}`
  return missing === 1
    ? `${who} has no second factor, and can’t open ${name} until they set one up. API keys keep working.`
    : `${who} have no second factor, and can’t open ${name} until they set one up. API keys keep working.`
}

/** Also for owners that the requirement would lock out. */
const OwnFirstDialog = () => (
  <Dialog id={dialog} title="Set up your own second factor first">
    <div class="body">
      <p>
        You haven’t signed in with a second factor, so the requirement would lock you out as well. Add a passkey or an
        authenticator app under Security, then come back.
      </p>
    </div>
    <footer>
      <Button label="Cancel" variant="ghost" commandfor={dialog} command="close" />
      <ButtonLink label="Open security" variant="primary" href="/settings/security" />
    </footer>
  </Dialog>
)
