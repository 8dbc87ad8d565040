import type { Provided } from '#lib/call.ts'

/**
 * Whether an organization’s payments move real money. Staging only has sandboxes; in development and tests it depends on
 * the account. @throws {Problem} of the gateway
 */
export async function movesRealMoney(
  { config, gateway }: Pick<Provided, 'config' | 'gateway'>,
  organizationId: string,
): Promise<boolean> {
  if (!config.offlineHelps) return config.ATRIUM_ENV !== 'staging'
  const { mode } = await gateway.payments.getAccount({ organizationId })
  return mode === 'live'
}
