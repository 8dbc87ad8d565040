import type { Call } from '#lib/call.ts'
import { isGatewayUnavailable } from '#gateway'
import type { AppsOfNetworks } from '../networks/index.ts'

/** Null while the gateway isn't available: then connecting says so. */
export async function readApps({ gateway }: Pick<Call, 'gateway'>, organizationId: string): Promise<AppsOfNetworks> {
  try {
    const apps = await gateway.social.apps.list(organizationId)
    return new Map(apps.map(({ provider, mode }) => [provider, mode]))
  } catch (error) {
    if (isGatewayUnavailable(error)) return null
    throw error
  }
}
