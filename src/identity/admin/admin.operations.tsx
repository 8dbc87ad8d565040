import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { AdminOrganizationFacts } from '#views/identity/admin/organization.tsx'
import { SuperAdminForm } from '#views/identity/admin/super-admin.tsx'
import { AdminOrganizationTable } from '#views/identity/admin/organizations.tsx'
import { InvitationToken, SignUpResult, SuperAdminAcceptance } from '../contract.ts'
import { noReferrer } from '../http/responses.ts'
import { signIn } from '../sign-in/sign-in.ts'
import { AdminOrganization, AdminOrganizationDetail, OrganizationSearch, SuperAdminInvitation } from './contract.ts'
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
  view: (organization) => <AdminOrganizationFacts organization={organization} />,
})
