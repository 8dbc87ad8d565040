import { z } from 'zod'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { GatewayAccess } from '../contract/access.ts'

export const provisionOrganization = operation({
  route: 'POST /platform/organizations/:id/provision',
  summary: 'Provision an organization’s access to the gateway',
  permission: 'organizations:provision',
  services: true,
  // Identity keeps the grant.
  transaction: false,
  input: z.object({ id: Id }),
  output: GatewayAccess,
  problems: { workspace_suspended: 403 },
  run: async (call) => {
    const { actor, identity } = call
    const organizationId = call.input.id.toLowerCase()
    if (actor.tokenType !== 'service' && actor.organization?.id !== organizationId) throw notFound('organization')
    const access = await identity.provisionGateway(organizationId)
    const after = access.created ? { service: access.service } : undefined
    await auditedTransaction(call, async (tx) =>
      recordChange(tx, { object: 'organization', id: organizationId, after, organizationId }),
    )
    return access
  },
})
