import type { Actor, ServicePermission } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'

/** Whether the caller holds a permission of this service: what the views show depends on it. */
export async function may(
  { identity, actor }: Pick<Call<unknown, Actor>, 'identity' | 'actor'>,
  permission: ServicePermission,
): Promise<boolean> {
  return actor.permissions.has(`${await identity.serviceId('platform-socialize')}.${permission}`)
}
