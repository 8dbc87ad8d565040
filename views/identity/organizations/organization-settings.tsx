import type {
  AvailableApp,
  EntitlementState,
  InstalledApps,
  Organization,
  OrganizationDetail,
  OrganizationDomain,
  OrganizationSso,
  ProofMethods,
} from '#identity/types'
import { RenamedOrganizationInFrame } from '#views/shell/navigation.tsx'
import { Button } from '#views/ui/button.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { DomainsSection } from './domains.tsx'
import { DeleteOrganization } from '../deletion/delete-organization.tsx'
import { SingleSignOn } from './single-sign-on.tsx'
import { SecondFactorRequired } from '../sign-in/second-factor/second-factor-required.tsx'
import { OrganizationPlan } from './organization-plan.tsx'

export interface OrganizationSettingsProps {
  organization: OrganizationDetail
  entitlement: EntitlementState
  installed: InstalledApps
  available: AvailableApp[]
  /** The rest is null for members who can’t update the organization. */
  sso: OrganizationSso | null
  domains: OrganizationDomain[] | null
  proofMethods: ProofMethods | null
}

export const OrganizationSettings = ({
  organization,
  sso,
  domains,
  proofMethods,
  ...plan
}: OrganizationSettingsProps) => (
  <div class="page stack" style="--measure: 36rem; --gap: var(--space-8)">
    <OrganizationSection organization={organization} />
    <OrganizationPlan organizationId={organization.id} {...plan} />
    <SecondFactorRequired organization={organization} />
    {organization.can.update ? <SingleSignOn organization={organization} sso={sso} /> : null}
    {domains ? <DomainsSection organizationId={organization.id} domains={domains} /> : null}
    {organization.can.delete && proofMethods ? (
      <DeleteOrganization organization={organization} ways={proofMethods} />
    ) : null}
  </div>
)

interface RenamedOrganizationProps {
  organization: OrganizationDetail
  ways: ProofMethods
}

/** The response to a change of the name or slug: the section, the frame, and the dialog that asks for the name. */
export const RenamedOrganization = ({ organization, ways }: RenamedOrganizationProps) => (
  <>
    <OrganizationSection organization={organization} />
    <RenamedOrganizationInFrame name={organization.name} />
    {organization.can.delete ? (
      <hx-partial hx-target="#delete-organization-section" hx-swap="outerMorph">
        <DeleteOrganization organization={organization} ways={ways} />
      </hx-partial>
    ) : null}
  </>
)

export const OrganizationSection = ({ organization }: { organization: OrganizationDetail }) => (
  <section class="section" id="organization-section" aria-labelledby="organization">
    <h2 id="organization">General</h2>
    {organization.can.update ? <Edit organization={organization} /> : <Facts organization={organization} />}
  </section>
)

const Edit = ({ organization }: { organization: Organization }) => (
  <Form
    class="stack"
    hx-put={`/api/organizations/${organization.id}`}
    hx-target="#organization-section"
    hx-swap="outerMorph"
  >
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
