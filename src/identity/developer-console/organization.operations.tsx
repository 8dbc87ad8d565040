import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { DeveloperOrganization, AccessRevocation } from './contract.ts'
import { actAsPersonEvenIfSuspended, signedByConsole } from './keys/delegation.ts'
import { revokeAccess } from './keys/revocation.ts'
import { readDeveloperOrganization } from './developer-organization.ts'

export const getDeveloperOrganization = operation({
  route: 'GET /api/developer-console/organization',
  summary: 'Get the developer organization',
  ...signedByConsole,
  input: z.object({}),
  output: DeveloperOrganization,
  run: async (call) => {
    const { db, actor } = await actAsPersonEvenIfSuspended(call)
    return readDeveloperOrganization(db, organizationOf(actor, 'role:admin'))
  },
})

export const revokeDeveloperAccess = operation({
  route: 'POST /api/admin/organizations/:id/developer-revocation',
  summary: 'Revoke developer access permanently',
  permission: 'super-admin',
  input: AccessRevocation,
  output: DeveloperOrganization,
  creates: true,
  example: { reason: 'It collected passwords.' },
  problems: { no_developer_access: 409, already_revoked: 409 },
  run: async (call) => {
    const organization = await revokeAccess(call, call.input)
    const next = `/admin/organizations/${organization.id}`
    return reply(201, organization, { next, toast: `Developer access of ${organization.name} revoked` })
  },
})
