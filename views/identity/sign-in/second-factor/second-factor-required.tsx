import type { Organization } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'

/** Whether the organization asks its members for a second factor, and for owners the switch. */
export const SecondFactorRequired = ({
  organization,
  canUpdate,
}: {
  organization: Organization
  canUpdate: boolean
}) => (
  <section class="section" aria-labelledby="second-factor">
    <h2 id="second-factor">Second factor</h2>
    <p class="muted">
      {organization.requiresSecondFactor
        ? 'Members must sign in with a passkey, or with a password and a code. API keys aren’t affected.'
        : 'Members can sign in with only their password.'}
    </p>
    {canUpdate ? (
      <Form class="actions" hx-put={`/api/organizations/${organization.id}`}>
        <input type="hidden" name="requiresSecondFactor" value={String(!organization.requiresSecondFactor)} />
        <Button
          label={organization.requiresSecondFactor ? 'Make it optional' : 'Require two-factor authentication'}
          type="submit"
        />
      </Form>
    ) : null}
  </section>
)
