import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import { resolveCredential } from '../credentials/resolve.ts'
import type { StripeCredential } from './stripe.ts'

/** Of the practice provider, at this server when no other address is configured. */
export const practiceCredential = ({ PAYMENTS_URL }: Call['config']): StripeCredential => ({
  id: null,
  level: 'practice',
  provider: 'practice',
  baseUrl: PAYMENTS_URL ?? '/dev/payments',
  secret: { apiKey: 'sk_test_practice' },
})

/** The organization’s, else the platform’s; in development and tests the practice provider’s. @throws {Problem} 422 */
export async function paymentCredential(
  call: Pick<Call, 'db' | 'secrets' | 'config' | 'upstreams'>,
  payer: { organizationId: string | null; test: boolean },
): Promise<StripeCredential> {
  const found = await resolveCredential(call, { ...payer, provider: 'stripe' })
  if (found) return found
  if (call.config.offlineHelps) return practiceCredential(call.config)
  throw new Problem(
    422,
    'credential_missing',
    payer.test
      ? 'There is no credential for stripe that is marked test. Add one under the organization’s credentials.'
      : 'There is no credential for stripe. Add one under the organization’s credentials.',
  )
}
