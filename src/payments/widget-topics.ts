import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'

export async function widgetTopics({ identity }: Call, actor: Actor): Promise<string[]> {
  const canFollow = isAllowed(actor, 'payments:read', await identity.serviceId('platform-pay'))
  return canFollow && actor.organization ? [`orders:${actor.organization.id}`] : []
}
