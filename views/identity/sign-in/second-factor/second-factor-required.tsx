import type { OrganizationDetail } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Form } from '#views/ui/form.tsx'

interface OfOrganization {
  organization: OrganizationDetail
}

const place = 'second-factor-requirement'
const dialog = 'require-second-factor'

export const SecondFactorRequired = ({ organization }: OfOrganization) => (
  <section class="section" id={place} aria-labelledby="second-factor">
    <h2 id="second-factor">Second factor</h2>
    <p class="muted">
      {organization.requiresSecondFactor
        ? 'Members must sign in with a passkey, or with a password and a code. API keys aren’t affected.'
        : 'Members can sign in with only their password.'}
    </p>
    {organization.can.update ? <Change organization={organization} /> : null}
  </section>
)

const Change = ({ organization }: OfOrganization) => {
  if (organization.requiresSecondFactor) return <Requirement organization={organization} required={false} />
  return (
    <>
      <div class="actions">
        <Button label="Require two-factor authentication" commandfor={dialog} command="show-modal" />
      </div>
      {organization.can.requireSecondFactor ? <RequireDialog organization={organization} /> : <OwnFirstDialog />}
    </>
  )
}

const Requirement = ({ organization, required }: OfOrganization & { required: boolean }) => (
  <Form
    class={required ? undefined : 'actions'}
    hx-put={`/api/organizations/${organization.id}`}
    hx-target={`#${place}`}
    hx-swap="outerMorph"
  >
    <input type="hidden" name="requiresSecondFactor" value={String(required)} />
    {required ? (
      <>
        <div class="body">
          <p safe>{consequenceOf(organization)}</p>
        </div>
        <DialogButtons dialog={dialog} submit="Require" focusCancel />
      </>
    ) : (
      <Button label="Make it optional" type="submit" />
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
