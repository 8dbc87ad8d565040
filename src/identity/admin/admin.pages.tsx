import { z } from 'zod'
import { nullFor404 } from '#lib/errors.ts'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { adminPageSize } from '#views/ui/admin-search.tsx'
import { AdminOrganizations, type AdminOrganizationsProps } from '#views/identity/admin/organizations.tsx'
import { AdminOrganizationView, type AdminOrganizationProps } from '#views/identity/admin/organization.tsx'
import { SuperAdmin } from '#views/identity/admin/super-admin.tsx'
import { reply } from '#lib/reply.ts'
import { noReferrer } from '../http/responses.ts'
import { getSuperAdminInvitation, listAllOrganizations } from './admin.operations.tsx'
import { loadOrganization } from './draw-organization.tsx'

/** Opening the page doesn't use up the link: mail and chat programs open links before people do. */
export const superAdminPage = page({
  path: '/super-admin/:token',
  limit: 'sign-in',
  permission: 'public',
  frame: 'door',
  title: 'Become a super admin',
  query: z.object({ token: z.string().max(200) }),
  load: async ({ ask, input }) => {
    const invitation = await ask(getSuperAdminInvitation, input).catch(nullFor404)
    return reply(invitation ? 200 : 404, { token: input.token, invitation }, { headers: noReferrer })
  },
  view: (props) => <SuperAdmin {...props} />,
})

const admin = { permission: 'super-admin', frame: 'admin', header: 'own', screen: 'admin' } as const

export const adminOrganizationsPage = page({
  ...admin,
  path: '/admin/organizations',
  icon: 'building-2',
  title: 'Organizations',
  query: z.object({
    q: plainText(100).trim().default('').catch(''),
    state: ignoreInvalid(z.enum(['active', 'suspended', 'deleting'])),
    cursor: Cursor,
  }),
  load: async ({ ask, input }): Promise<AdminOrganizationsProps> => ({
    filter: input,
    list: await ask(listAllOrganizations, { ...input, limit: adminPageSize }),
  }),
  view: (props) => <AdminOrganizations {...props} />,
})

export const adminOrganizationPage = page({
  ...admin,
  path: '/admin/organizations/:id',
  title: ({ organization }: AdminOrganizationProps) => organization.name,
  query: z.object({ id: Id }),
  load: (call): Promise<AdminOrganizationProps> => loadOrganization(call, call.input.id),
  view: (props) => <AdminOrganizationView {...props} />,
})
