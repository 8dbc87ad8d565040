import type { Organization, OrganizationDomain, ProofMethods } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { TextField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'
import { DomainsSection } from './domains.tsx'
import { DeleteOrganization } from '../deletion/delete-organization.tsx'
import { OwnSignInSection, type OwnSignInProps } from './single-sign-on.tsx'
import { SecondFactorRequired } from '../sign-in/second-factor/second-factor-required.tsx'
import { OrganizationPlan, type OrganizationPlanProps } from './organization-plan.tsx'

interface OrganizationSettingsProps {
  organization: Organization
  /** Owners change it, everyone else reads it. */
  mayWrite: boolean
  /** Owners, but for the super admins' own. */
  mayDelete: boolean
  ways: ProofMethods
  ownSignIn: OwnSignInProps['ownSignIn']
  domains: OrganizationDomain[]
  callbackUrl: string
  plan: Omit<OrganizationPlanProps, 'organizationId'>
}

/** The active organization: its name and address, what it has paid for, its apps, and what it asks of its members. */
export const OrganizationSettings = ({
  organization,
  mayWrite,
  mayDelete,
  ways,
  plan,
  domains,
  ...own
}: OrganizationSettingsProps) => (
  <div class="page stack" style="--measure: 36rem; --gap: var(--space-8)">
    <section class="section" aria-labelledby="organization">
      <h2 id="organization">Organization</h2>
      {mayWrite ? <Edit organization={organization} /> : <Facts organization={organization} />}
    </section>
    <OrganizationPlan organizationId={organization.id} {...plan} />
    <SecondFactorRequired organization={organization} mayWrite={mayWrite} />
    {mayWrite ? <OwnSignInSection organization={organization} {...own} /> : null}
    {mayWrite ? <DomainsSection organizationId={organization.id} domains={domains} /> : null}
    {mayDelete ? <DeleteOrganization organization={organization} ways={ways} /> : null}
  </div>
)

const Edit = ({ organization }: { organization: Organization }) => (
  <Form class="stack" hx-put={`/api/organizations/${organization.id}`}>
    <TextField
      label="Name"
      name="name"
      value={organization.name}
      autocomplete="organization"
      maxlength={100}
      required
    />
    <TextField
      label="Slug"
      name="slug"
      value={organization.slug}
      hint="Used in URLs and the API. Lowercase letters, numbers and hyphens"
      pattern="[a-z0-9][a-z0-9\-]{1,46}[a-z0-9]"
      maxlength={48}
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
      required
    />
    <div class="actions">
      <Button label="Save" variant="primary" type="submit" />
    </div>
  </Form>
)

const Facts = ({ organization }: { organization: Organization }) => (
  <>
    <dl class="facts">
      <dt>Name</dt>
      <dd class="wrap-anywhere" safe>
        {organization.name}
      </dd>
      <dt>Slug</dt>
      <dd class="mono" safe>
        {organization.slug}
      </dd>
    </dl>
    <p class="muted">Only owners can change this.</p>
  </>
)
