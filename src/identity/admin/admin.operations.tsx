import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { AdminOrganizationSection } from '#views/identity/admin/organization.tsx'
import { SuperAdminForm } from '#views/identity/admin/super-admin.tsx'
import { AdminOrganizationTable } from '#views/identity/admin/organizations.tsx'
import { InvitationToken, SignUpResult, SuperAdminAcceptance } from '../contract.ts'
import { noReferrer } from '../http/responses.ts'
import { signIn } from '../sign-in/sign-in.ts'
import {
  AdminOrganization,
  AdminOrganizationDetail,
  OrganizationSearch,
  SuperAdminInvitation,
  SuspensionDraft,
} from './contract.ts'
import * as organizations from './organizations.ts'
import { becomeSuperAdmin, findSuperAdminLink } from './super-admins.ts'

export const getSuperAdminInvitation = operation({
  route: 'GET /api/super-admins/invitations/:token',
  summary: 'Get a super admin invitation',
  permission: 'public',
  limit: 'sign-in',
  headers: noReferrer,
  input: InvitationToken,
  output: SuperAdminInvitation,
  problems: { not_found: 404 },
  run: async ({ db, input, now }) => {
    const link = await findSuperAdminLink(db, input.token, now())
    if (!link) throw notFound('invitation')
    return { email: link.email, hasAccount: link.userId !== null }
  },
  view: (invitation, { input }) => <SuperAdminForm token={input.token} invitation={invitation} />,
})

export const acceptSuperAdminInvitation = operation({
  route: 'POST /api/super-admins',
  summary: 'Accept a super admin invitation',
  permission: 'public',
  limit: 'sign-in',
  input: SuperAdminAcceptance,
  output: SignUpResult,
  creates: true,
  secrets: ['accessToken', 'refreshToken'],
  problems: {
    second_factor_required: 401,
    account_deletion_pending: 403,
    not_found: 404,
    member_of_another_organization: 409,
    account_changed: 409,
    sign_in_throttled: 429,
    busy: 503,
  },
  transaction: false,
  run: async (call) =>
    signIn(call, 201, await becomeSuperAdmin(call, call.input), { how: 'password', next: '/admin/organizations' }),
})

export const listAllOrganizations = operation({
  route: 'GET /api/admin/organizations',
  summary: 'List all organizations',
  permission: 'super-admin',
  input: OrganizationSearch,
  output: listOf(AdminOrganization),
  run: ({ db, input }) => organizations.listAll(db, input),
  view: (list, { input }) => <AdminOrganizationTable list={list} filter={input} />,
})

export const getOrganizationForAdmin = operation({
  route: 'GET /api/admin/organizations/:id',
  summary: 'Get an organization as a super admin',
  permission: 'super-admin',
  input: z.object({ id: Id }),
  output: AdminOrganizationDetail,
  run: (call) => organizations.inspect(call, call.input.id),
  view: (organization) => <AdminOrganizationSection organization={organization} />,
})

const back = (id: string) => `/admin/organizations/${id}`

export const suspendOrganization = operation({
  route: 'POST /api/admin/organizations/:id/suspension',
  summary: 'Suspend an organization',
  permission: 'super-admin',
  input: SuspensionDraft,
  output: AdminOrganizationDetail,
  creates: true,
  problems: { own_organization: 409, already_suspended: 409 },
  example: { reason: 'Spam to thousands of accounts.' },
  run: async (call) => {
    const organization = await organizations.suspend(call, call.input)
    return reply(201, organization, { next: back(organization.id), toast: `${organization.name} suspended` })
  },
  view: (organization) => <AdminOrganizationSection organization={organization} />,
})

export const unsuspendOrganization = operation({
  route: 'DELETE /api/admin/organizations/:id/suspension',
  summary: 'Lift an organization’s suspension',
  permission: 'super-admin',
  input: z.object({ id: Id }),
  output: z.null(),
  run: async (call) => {
    const { id } = call.input
    await organizations.lift(call, id)
    return reply(204, null, { next: back(id), toast: 'Suspension lifted' })
  },
  view: async (_, call) => (
    <AdminOrganizationSection organization={await call.ask(getOrganizationForAdmin, call.input)} />
  ),
})
