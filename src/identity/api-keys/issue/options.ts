import type { Actor } from '#lib/actor.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { listForService } from '../../organizations/bindable-resources/bindable-resources.ts'
import { scopesOf } from '../../registry/services.ts'
import { listAgents } from '../agents/agents.ts'
import { listManagedServices } from './authority.ts'
import type { ApiKeyOptions } from '../contract.ts'

const defaultService = 'platform-socialize'

/** @throws {Problem} 403 for an actor who can't manage keys */
export async function getKeyOptions(call: Call<{ service?: string }, Actor>): Promise<ApiKeyOptions> {
  const { db, actor, input } = call
  const organizationId = organizationOf(actor, 'api_keys:write')
  const services = await listManagedServices(db, actor)
  const bySlug = (slug?: string) => services.find((each) => each.slug === slug)
  const service = bySlug(input.service) ?? bySlug(defaultService) ?? services[0]
  if (!service) throw new Error('listManagedServices returned no service')
  const [scopes, resources, agents] = await Promise.all([
    scopesOf(db, service.id),
    listForService(db, actor, service.id),
    isAllowed(actor, 'role:viewer', '') ? listAgents(call, { id: organizationId, limit: 100 }) : null,
  ])
  return {
    services: services.map(({ slug, name }) => ({ slug, name })),
    service: service.slug,
    scopes: scopes.items.filter(({ permission }) => actor.permissions.has(`${service.id}.${permission}`)),
    resources,
    agents: agents && agents.items.map(({ id, name }) => ({ id, name })),
  }
}
