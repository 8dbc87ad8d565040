import { z } from 'zod'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { OrganizationSignIn } from '#views/identity/organizations/organization-sign-in.tsx'
import { nextPage } from '../../contract/fields.ts'
import { localPath } from '../../http/responses.ts'
import { getSsoOrganization } from './sso.operations.tsx'

export const organizationSignInPage = page({
  path: '/login/organization',
  limit: 'sign-in',
  permission: 'public',
  frame: 'door',
  screen: 'identity',
  title: 'Sign in to your organization',
  query: z.object({
    slug: ignoreInvalid(plainText(100).trim().toLowerCase()),
    id: ignoreInvalid(Id),
    next: nextPage,
  }),
  load: async ({ ask, input: { next, ...query } }) => ({
    slug: query.slug,
    ...(await ask(getSsoOrganization, query)),
    next: next && localPath(next),
  }),
  view: (props) => <OrganizationSignIn {...props} />,
})
