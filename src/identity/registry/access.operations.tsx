import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { OrganizationServiceRow, OrganizationServices } from '#views/identity/registry/organization-services.tsx'
import { grantAccess, listServicesFor, withdrawAccess } from './access.ts'
import { ProvisionedService } from '../contract.ts'
import { AccessQuery, OrganizationService } from './contract.ts'
import { provisionService } from './service-access.ts'

const pageOf = (id: string) => `/admin/organizations/${id}`

export const listOrganizationServices = operation({
  route: 'GET /api/admin/organizations/:id/services',
  summary: 'List an organization’s access to services',
  permission: 'super-admin',
  input: z.object({ id: Id }),
  output: listOf(OrganizationService),
  run: ({ db, input }) => listServicesFor(db, input.id),
  view: ({ items }, { input }) => <OrganizationServices id={input.id} services={items} />,
})

export const grantService = operation({
  route: 'PUT /api/admin/organizations/:id/services/:serviceId',
  summary: 'Grant an organization access to a service',
  permission: 'super-admin',
  input: AccessQuery,
  output: OrganizationService,
  run: async (call) => {
    const service = await grantAccess(call, call.input)
    return reply(200, service, { next: pageOf(call.input.id), toast: `${service.name} enabled` })
  },
  view: (service, { input }) => <OrganizationServiceRow id={input.id} service={service} />,
})

export const withdrawService = operation({
  route: 'DELETE /api/admin/organizations/:id/services/:serviceId',
  summary: 'Revoke an organization’s access to a service',
  permission: 'super-admin',
  input: AccessQuery,
  output: z.null(),
  run: async (call) => {
    await withdrawAccess(call, call.input)
    return reply(204, null, { next: pageOf(call.input.id), toast: 'Service disabled' })
  },
  view: async (_, { ask, input: { id, serviceId } }) => {
    const { items } = await ask(listOrganizationServices, { id })
    const service = items.find((each) => each.id === serviceId)
    return service ? <OrganizationServiceRow id={id} service={service} /> : ''
  },
})

export const provisionGateway = operation({
  route: 'PUT /api/internal/organizations/:id/gateway-access',
  summary: 'Provision an organization’s access to the gateway',
  permission: 'service',
  callers: ['platform-gateway'],
  input: z.object({ id: Id }),
  output: ProvisionedService,
  problems: { workspace_suspended: 403 },
  run: (call) => provisionService(call, call.input.id, 'platform-gateway'),
})
