import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { plainText } from '#lib/text.ts'
import { OrganizationSignIn } from '#views/identity/organizations/organization-sign-in.tsx'
import { nextPage } from '../../contract/fields.ts'
import { localPath } from '../../http/local-path.ts'
import { findOrganizationSignIn } from './sso.ts'

export const organizationSignInPage = page({
  path: '/login/organization',
  permission: 'public',
  frame: 'door',
  screen: 'identity',
  title: 'Sign in to your organization',
  query: z.object({
    slug: plainText(100).trim().toLowerCase().optional().catch(undefined),
    id: Id.optional().catch(undefined),
    next: nextPage,
  }),
  load: async (call) => {
    const { next, ...query } = call.input
    const organization = await findOrganizationSignIn(call, query)
    return { slug: query.slug, organization, next: next && localPath(next) }
  },
  view: (shown) => <OrganizationSignIn {...shown} />,
})
