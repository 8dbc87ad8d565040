import type { Call } from '#lib/call.ts'
import { logFault } from '#lib/log/fault.ts'
import { publicUrl } from '#lib/public-url.ts'
import { accountOf } from './account.ts'
import { registerEndpoint, webhookPath } from './register.ts'

type EnsureCall = Pick<Call, 'db' | 'gateway' | 'secrets' | 'config' | 'now' | 'log' | 'request'>

export const scopes = ['account', 'connect'] as const

/**
 * In development and tests, registers the endpoints of the account that an organization’s payments are made with. Elsewhere
 * an admin does. Of another account, if its key is named. Payments work without: events are found in the provider’s list.
 */
export async function ensureEndpoint(
  call: EnsureCall,
  organizationId: string | undefined,
  accountKey: string | null = null,
): Promise<void> {
  if (!call.config.offlineHelps || call.config.STRIPE_WEBHOOK_SECRET) return
  try {
    const account = await accountOf(call, organizationId, accountKey)
    const { origin } = new URL(publicUrl(webhookPath, call.config, call.request))
    for (const scope of scopes) await registerEndpoint(call, { ...account, scope, origin, payer: organizationId })
  } catch (error) {
    logFault(call.log, 'registering the webhook endpoint of payments', error)
  }
}
