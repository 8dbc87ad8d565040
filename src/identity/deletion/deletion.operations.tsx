import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { isTarget } from '#lib/page.ts'
import { notFound } from '#lib/errors.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { AdminUserView } from '#views/identity/admin/user.tsx'
import { AccountDeletionCard } from '#views/identity/deletion/account-deletion.tsx'
import { ScheduledDeletions } from '#views/identity/deletion/organization-deletions.tsx'
import {
  OrganizationList,
  organizationListPlace,
  organizationsPerPage,
} from '#views/identity/organizations/workspaces.tsx'
import { noReferrer } from '../http/responses.ts'
import { drawOrganization } from '../admin/draw-organization.tsx'
import { getUser } from '../admin/users.operations.tsx'
import { listOrganizations } from '../organizations/organizations.operations.tsx'
import { SupportAction } from '../admin/contract.ts'
import { clearedCookies } from '../sign-in/sign-in.ts'
import * as accounts from './accounts.ts'
import {
  AccountDeletion,
  AccountDeletionCancellation,
  AccountDeletionRequest,
  AccountErasure,
  CancelableAccountDeletion,
  OrganizationDeletion,
  OrganizationDeletionRequest,
  OrganizationErasure,
  OwnOrganizationDeletion,
  accountDeletionPath,
} from './contract.ts'
import { proofProblems } from '../sign-in/second-factor/contract.ts'
import { listDue, listDueAccounts } from './due.ts'
import * as organizations from './organizations.ts'
import { cancellationCookies, cancellationTokenOf, clearedCancellationCookie, findDeletionByToken } from './pending.ts'
import { reportAccountErased, reportErased } from './reports.ts'

const page = '/settings/organization/deletion'

export const deleteOrganization = operation({
  route: 'DELETE /api/organizations/:id',
  summary: 'Schedule the deletion of an organization',
  permission: 'role:owner',
  limit: 'sign-in',
  transaction: false,
  input: OrganizationDeletionRequest,
  output: OrganizationDeletion,
  answers: { 202: OrganizationDeletion },
  problems: {
    own_organization: 409,
    already_suspended: 409,
    ...proofProblems,
  },
  run: async (call) => {
    const deletion = await organizations.requestDeletion(call, call.input)
    // The organization is locked: its pages and its navigation are gone.
    return reply(202, deletion, { next: page, toast: `${deletion.name} will be deleted` })
  },
})

export const getOrganizationDeletion = operation({
  route: 'GET /api/organizations/:id/deletion',
  summary: 'Get the scheduled deletion of an organization',
  permission: 'signed-in',
  personal: false,
  input: z.object({ id: Id }),
  output: OwnOrganizationDeletion,
  run: (call) => organizations.findDeletion(call, call.input.id),
})

export const listOrganizationDeletions = operation({
  route: 'GET /api/organization-deletions',
  summary: 'List scheduled deletions of your organizations',
  permission: 'signed-in',
  personal: false,
  input: z.object({}),
  output: listOf(OwnOrganizationDeletion),
  run: async (call) => ({ items: await organizations.listOwnDeletions(call), nextCursor: null }),
  view: ({ items }) => <ScheduledDeletions deletions={items} />,
})

export const cancelOrganizationDeletion = operation({
  route: 'DELETE /api/organizations/:id/deletion',
  summary: 'Cancel the deletion of an organization',
  permission: 'signed-in',
  personal: false,
  input: z.object({ id: Id }),
  output: z.null(),
  problems: {
    permission_missing: 403,
    organization_requires_second_factor: 403,
    organization_requires_sso: 403,
    deletion_final: 409,
    owners_being_deleted: 409,
  },
  run: async (call) => {
    await organizations.cancelDeletion(call, call.input.id)
    // The active organization is unlocked again, so the navigation of the frame changes too.
    const leavesPage = call.actor.suspension?.organizationId === call.input.id
    return reply(204, null, { next: '/', leavesPage, toast: 'Deletion canceled' })
  },
  view: async (_, call) => {
    const { ask, actor } = call
    if (!isTarget(call, organizationListPlace))
      return <ScheduledDeletions deletions={(await ask(listOrganizationDeletions, {})).items} />
    const { items, nextCursor } = await ask(listOrganizations, { limit: organizationsPerPage })
    const isPersonal = actor.organization === null
    return <OrganizationList organizations={items} nextCursor={nextCursor} isPersonal={isPersonal} />
  },
})

export const cancelOrganizationDeletionByAdmin = operation({
  route: 'DELETE /api/admin/organizations/:id/deletion',
  summary: 'Cancel an organization’s deletion as a super admin',
  permission: 'super-admin',
  input: z.object({ id: Id }),
  output: z.null(),
  problems: { deletion_final: 409, owners_being_deleted: 409 },
  run: async (call) => {
    const { id } = call.input
    await organizations.undoDeletion(call, id)
    return reply(204, null, { next: `/admin/organizations/${id}`, toast: 'Deletion canceled' })
  },
  view: (_, call) => drawOrganization(call, call.input.id),
})

export const deleteAccount = operation({
  route: 'DELETE /api/auth/me',
  summary: 'Schedule the deletion of your account',
  permission: 'signed-in',
  limit: 'sign-in',
  transaction: false,
  input: AccountDeletionRequest,
  output: AccountDeletion,
  answers: { 202: AccountDeletion },
  problems: { last_owner: 409, ...proofProblems },
  run: async (call) => {
    const deletion = await accounts.requestAccountDeletion(call, call.input)
    // The person is signed out.
    const cookies = [...clearedCookies, ...cancellationCookies(deletion)]
    return reply(202, deletion, { next: accountDeletionPath, cookies })
  },
})

export const getAccountDeletion = operation({
  route: 'GET /api/auth/me/deletion',
  summary: 'Get the scheduled deletion of an account',
  permission: 'public',
  limit: 'sign-in',
  headers: noReferrer,
  input: AccountDeletionCancellation,
  output: CancelableAccountDeletion,
  problems: { not_found: 404 },
  run: async (call) => {
    const deletion = await findDeletionByToken(call.db, cancellationTokenOf(call, call.input.cancellation), call.now())
    if (!deletion) throw notFound('deletion')
    return deletion
  },
  view: (deletion) => <AccountDeletionCard deletion={deletion} />,
})

export const cancelAccountDeletion = operation({
  route: 'DELETE /api/auth/me/deletion',
  summary: 'Cancel the deletion of an account',
  permission: 'public',
  limit: 'sign-in',
  input: AccountDeletionCancellation,
  output: z.null(),
  problems: { not_found: 404, deletion_final: 409 },
  run: async (call) => {
    await accounts.cancelAccountDeletion(call, cancellationTokenOf(call, call.input.cancellation))
    return reply(204, null, {
      next: '/login',
      toast: 'Deletion canceled. Sign in to continue.',
      cookies: [clearedCancellationCookie],
    })
  },
})

export const cancelAccountDeletionByAdmin = operation({
  route: 'DELETE /api/admin/users/:id/deletion',
  summary: 'Cancel an account’s deletion as a super admin',
  permission: 'super-admin',
  input: SupportAction,
  output: z.null(),
  problems: { deletion_final: 409 },
  example: { reason: 'They asked on the phone.' },
  run: async (call) => {
    await accounts.cancelAccountDeletionByAdmin(call, call.input)
    return reply(204, null, { next: `/admin/users/${call.input.id}`, toast: 'Deletion canceled' })
  },
  view: async (_, { ask, input }) => <AdminUserView user={await ask(getUser, { id: input.id })} />,
})

export const listOrganizationErasures = operation({
  route: 'GET /api/internal/organization-erasures',
  summary: 'List organizations to erase',
  permission: 'service',
  input: z.object({}),
  output: listOf(OrganizationErasure),
  run: async ({ db, actor, now, keepers }) => {
    const ids = await listDue(db, { serviceId: actor.principal.id, keepers, now: now() })
    return { items: ids.map((organizationId) => ({ organizationId })), nextCursor: null }
  },
})

export const reportOrganizationErased = operation({
  route: 'PUT /api/internal/organization-erasures/:id',
  summary: 'Report an organization as erased',
  permission: 'service',
  input: z.object({ id: Id }),
  output: OrganizationErasure,
  run: async (call) => {
    await reportErased(call, call.input.id)
    return { organizationId: call.input.id }
  },
})

export const listAccountErasures = operation({
  route: 'GET /api/internal/account-erasures',
  summary: 'List accounts to erase',
  permission: 'service',
  input: z.object({}),
  output: listOf(AccountErasure),
  run: async ({ db, actor, now }) => {
    const ids = await listDueAccounts(db, actor.principal.id, now())
    return { items: ids.map((userId) => ({ userId })), nextCursor: null }
  },
})

export const reportErasedAccount = operation({
  route: 'PUT /api/internal/account-erasures/:id',
  summary: 'Report an account as erased',
  permission: 'service',
  input: z.object({ id: Id }),
  output: AccountErasure,
  run: async (call) => {
    await reportAccountErased(call, call.input.id)
    return { userId: call.input.id }
  },
})
