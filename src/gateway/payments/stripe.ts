import type { Stripe } from 'stripe'
import type { Call } from '#lib/call.ts'
import { beforeAbort } from '#lib/before-abort.ts'
import { OutboundError, outboundError } from '#lib/outbound/error.ts'
import type { ProviderCredential } from '../credentials/resolve.ts'
import { checkResponse } from './response.ts'

export type StripeCredential = ProviderCredential<{ apiKey: string }>

/** Loaded at the first call: it takes 20 MB. */
export const loadStripe = async (): Promise<typeof Stripe> => (await import('stripe')).Stripe

/**
 * Without the SDK’s retries, since the caller repeats a call with the same Idempotency-Key, and without its address:
 * requests go to the credential’s.
 *
 * @param organizationId Whose share of the connections they use
 */
export function createClient(
  Sdk: typeof Stripe,
  { upstreams, config }: Pick<Call, 'upstreams' | 'config'>,
  credential: StripeCredential,
  organizationId?: string,
): Stripe {
  const send = async (address: string | URL | Request, { method, headers, body, signal }: RequestInit = {}) => {
    const { pathname, search } = new URL(address instanceof Request ? address.url : address)
    const sent = new Headers(headers)
    sent.delete('content-length')
    const response = upstreams.fetch(credential, `${pathname}${search}`, {
      method,
      ...(organizationId !== undefined && { organizationId }),
      headers: Object.fromEntries(sent),
      ...(typeof body === 'string' && { body }),
      ...(signal && { signal }),
    })
    try {
      // The practice provider in this process doesn’t know the signal.
      return await checkResponse(await (signal ? beforeAbort(signal, response) : response))
    } catch (error) {
      // The SDK can only read errors of the class Error.
      throw signal?.aborted ? lateError(config) : outboundError(error, 'Stripe')
    }
  }
  return new Sdk(credential.secret.apiKey, {
    httpClient: Sdk.createFetchHttpClient(Object.assign(send, { preconnect: () => {} })),
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: config.PAYMENTS_TIMEOUT_MS,
  })
}

const lateError = ({ PAYMENTS_TIMEOUT_MS: ms }: Call['config']): OutboundError =>
  new OutboundError('timed_out', `Stripe didn’t respond within ${ms / 1000} s.`)
