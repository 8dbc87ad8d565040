import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'

type RightsCall = Pick<Call<unknown, Actor>, 'actor' | 'identity'>

type MerchantPermission = 'merchants:write' | 'venues:read' | 'venues:write' | 'payments:read'

export const mayIn = async ({ actor, identity }: RightsCall, permission: MerchantPermission): Promise<boolean> =>
  isAllowed(actor, permission, await identity.serviceId('platform-pay'))

/** Beside the permission to change them. */
export const rightsIn = async (call: RightsCall, write: 'merchants:write' | 'venues:write') => {
  const [canWrite, readVenues, readSales] = await Promise.all([
    mayIn(call, write),
    mayIn(call, 'venues:read'),
    mayIn(call, 'payments:read'),
  ])
  return { canWrite, readVenues, readSales }
}
