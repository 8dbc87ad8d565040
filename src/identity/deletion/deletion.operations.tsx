import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { OrganizationDeletion, OrganizationDeletionRequest } from './contract.ts'
import { proofProblems } from '../second-factor/contract.ts'
import * as organizations from './organizations.ts'

const page = '/settings/organization/deletion'

export const deleteOrganization = operation({
  route: 'DELETE /api/organizations/:id',
  summary: 'Delete an organization, in 30 days',
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
    return reply(202, deletion, { next: page, toast: `${deletion.name} will be deleted` })
  },
})

export const findOrganizationDeletion = operation({
  route: 'GET /api/organizations/:id/deletion',
  summary: 'When an organization will be deleted',
  permission: 'signed-in',
  personal: false,
  input: z.object({ id: Id }),
  output: OrganizationDeletion,
  run: (call) => organizations.findDeletion(call, call.input.id),
})

export const cancelOrganizationDeletion = operation({
  route: 'DELETE /api/organizations/:id/deletion',
  summary: 'Cancel the deletion of an organization',
  permission: 'signed-in',
  personal: false,
  input: z.object({ id: Id }),
  output: z.null(),
  problems: { permission_missing: 403, second_factor_needed: 403, own_sign_in_required: 403, deletion_final: 409 },
  run: async (call) => {
    await organizations.cancelDeletion(call, call.input.id)
    return reply(204, null, { next: '/', toast: 'The deletion was cancelled' })
  },
})

export const undoOrganizationDeletion = operation({
  route: 'DELETE /api/admin/organizations/:id/deletion',
  summary: 'Cancel the deletion of any organization',
  permission: 'super-admin',
  input: z.object({ id: Id }),
  output: z.null(),
  problems: { deletion_final: 409 },
  run: async (call) => {
    const { id } = call.input
    await organizations.undoDeletion(call, id)
    return reply(204, null, { next: `/admin/organizations/${id}`, toast: 'The deletion was cancelled' })
  },
})
