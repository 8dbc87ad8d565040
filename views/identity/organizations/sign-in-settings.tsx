import type { OrganizationDetail, OrganizationDomain, OrganizationSso } from '#identity/types'
import { DomainsSection } from './domains.tsx'
import { SingleSignOn } from './single-sign-on.tsx'
import { SecondFactorRequired } from '../sign-in/second-factor/second-factor-required.tsx'

export interface SignInSettingsProps {
  organization: OrganizationDetail
  /** Null without single sign-on. */
  sso: OrganizationSso | null
  domains: OrganizationDomain[]
}

/** How members sign in to an organization. */
export const SignInSettings = ({ organization, sso, domains }: SignInSettingsProps) => (
  <div class="page settings">
    <SecondFactorRequired organization={organization} />
    <SingleSignOn organization={organization} sso={sso} />
    <DomainsSection organizationId={organization.id} domains={domains} />
  </div>
)
