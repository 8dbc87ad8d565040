import type { Actor, ServicePermission } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'

export type CheckPermission = (permission: ServicePermission, brandId?: string) => boolean

export async function readPermissions({
  identity,
  actor: { permissions, bindings },
}: Pick<Call<unknown, Actor>, 'identity' | 'actor'>): Promise<CheckPermission> {
  const serviceId = await identity.serviceId('platform-socialize')
  return (permission, brandId) => {
    const name = `${serviceId}.${permission}`
    if (!permissions.has(name)) return false
    if (brandId === undefined || bindings.length === 0) return true
    const binding = bindings.find(({ kind, id }) => kind === 'brand' && id === brandId)
    return binding !== undefined && (binding.permissions?.has(name) ?? true)
  }
}
