import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { words } from '#lib/words.ts'
import { AdminOrganizations, type AdminOrganizationsProps } from '#views/identity/admin/organizations.tsx'
import { AdminOrganizationView, type AdminOrganizationProps } from '#views/identity/admin/organization.tsx'
import { SuperAdmin } from '#views/identity/admin/super-admin.tsx'
import { adminOrganization } from './admin-organization.ts'
import { noReferrer } from '../http/no-referrer.ts'
import { AdminOrganization, AdminOrganizationDetail } from './contract.ts'
import { listServicesFor } from '../registry/access.ts'
import { OrganizationService } from '../registry/contract.ts'
import * as organizations from './organizations.ts'
import { findSuperAdminLink } from './super-admins.ts'

/** Opening the page doesn't use up the link: mail and chat programs open links before people do. */
export const superAdminPage = page({
  path: '/super-admin/:token',
  permission: 'public',
  frame: 'door',
  title: 'Become a super admin',
  query: z.object({ token: z.string().max(200) }),
  load: async ({ db, input, now }) => {
    const link = (await findSuperAdminLink(db, input.token, now())) ?? null
    return reply(link ? 200 : 404, { token: input.token, link }, { headers: noReferrer })
  },
  view: (props) => <SuperAdmin {...props} />,
})

const admin = { permission: 'super-admin', frame: 'admin' } as const
const pageSize = 50

export const adminOrganizationsPage = page({
  ...admin,
  path: '/admin/organizations',
  title: 'Organizations',
  query: z.object({
    q: words(100).trim().default('').catch(''),
    state: z.enum(['active', 'suspended', 'deleting']).optional().catch(undefined),
    cursor: z.string().max(500).optional(),
  }),
  load: async ({ db, input }): Promise<AdminOrganizationsProps> => {
    const { items, nextCursor } = await organizations.listAll(db, { ...input, limit: pageSize })
    return { filter: input, organizations: z.array(AdminOrganization).parse(items), nextCursor }
  },
  view: (props) => <AdminOrganizations {...props} />,
})

export const adminOrganizationPage = page({
  ...admin,
  path: '/admin/organizations/:id',
  title: ({ organization }: AdminOrganizationProps) => organization.name,
  query: z.object({ id: Id }),
  load: async (call): Promise<AdminOrganizationProps> => {
    const organization = AdminOrganizationDetail.parse(await organizations.inspect(call, call.input.id))
    const services = z.array(OrganizationService).parse((await listServicesFor(call.db, call.input.id)).items)
    return { organization, services, maySuspend: organization.slug !== adminOrganization }
  },
  view: (props) => <AdminOrganizationView {...props} />,
})
