import type { Call } from '#lib/call.ts'
import { isGatewayUnavailable } from '#gateway'
import type { AppsOfNetworks } from '../networks/index.ts'

/** Null while the gateway isn't available: then connecting says so. */
export async function readApps({ gateway }: Pick<Call, 'gateway'>, organizationId: string): Promise<AppsOfNetworks> {
  try {
    return new Set(await gateway.social.apps.list(organizationId))
  } catch (error) {
    if (isGatewayUnavailable(error)) return null
    throw error
  }
}
