import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { DeveloperWorkspace, WorkspaceRevocation } from './contract.ts'
import { actAsPersonEvenIfSuspended, signedByConsole } from './keys/delegation.ts'
import { revokeWorkspace } from './keys/revocation.ts'
import { readWorkspace } from './workspace.ts'

export const getDeveloperWorkspace = operation({
  route: 'GET /api/developer-console/workspace',
  summary: 'Get the developer organization',
  ...signedByConsole,
  input: z.object({}),
  output: DeveloperWorkspace,
  run: async (call) => {
    const { db, actor } = await actAsPersonEvenIfSuspended(call)
    return readWorkspace(db, organizationOf(actor, 'role:admin'))
  },
})

export const revokeDeveloperWorkspace = operation({
  route: 'POST /api/admin/organizations/:id/developer-revocation',
  summary: 'Revoke a developer organization permanently',
  permission: 'super-admin',
  input: WorkspaceRevocation,
  output: DeveloperWorkspace,
  creates: true,
  example: { reason: 'It collected passwords.' },
  problems: { no_developer_workspace: 409, already_revoked: 409 },
  run: async (call) => {
    const workspace = await revokeWorkspace(call, call.input)
    const next = `/admin/organizations/${workspace.id}`
    return reply(201, workspace, { next, toast: `Developer access of ${workspace.name} revoked` })
  },
})
