import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import { page } from '#lib/page.ts'
import { SignInSettings, type SignInSettingsProps } from '#views/identity/organizations/sign-in-settings.tsx'
import { listOrganizationDomains } from '../domains/domains.operations.tsx'
import { getOrganization } from '../organizations.operations.tsx'
import { getOrganizationSso } from './sso.operations.tsx'

export const signInSettingsPage = page({
  path: '/settings/sign-in',
  permission: 'role:owner',
  frame: 'settings',
  icon: 'log-in',
  title: 'Sign-in',
  summary: 'Single sign-on, domains and required second factors.',
  keywords: 'sso single sign-on oidc two-factor 2fa mfa domains',
  query: z.object({}),
  load: async ({ ask, actor }): Promise<SignInSettingsProps> => {
    const id = organizationOf(actor)
    const [organization, sso, domains] = await Promise.all([
      ask(getOrganization, { id }),
      ask(getOrganizationSso, { id }),
      ask(listOrganizationDomains, { id }),
    ])
    return { organization, sso, domains: domains.items }
  },
  view: (props) => <SignInSettings {...props} />,
})
