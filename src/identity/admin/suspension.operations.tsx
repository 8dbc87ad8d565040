import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { AdminOrganizationDetail, SuspensionDraft } from './contract.ts'
import { drawOrganization } from './draw-organization.tsx'
import * as organizations from './organizations.ts'

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
  view: ({ id }, call) => drawOrganization(call, id),
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
  view: (_, call) => drawOrganization(call, call.input.id),
})
