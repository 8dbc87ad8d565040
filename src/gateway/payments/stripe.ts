import type { Stripe } from 'stripe'
import type { Call } from '#lib/call.ts'
import { beforeAbort } from '#lib/before-abort.ts'
import { OutboundError, outboundError } from '#lib/outbound/error.ts'
import type { ProviderCredential } from '../credentials/resolve.ts'

export type StripeCredential = ProviderCredential<{ apiKey: string }>

const maxCause = 200

/** Loaded at the first call: it takes 20 MB. */
export const loadStripe = async (): Promise<typeof Stripe> => (await import('stripe')).Stripe

/**
 * Without the SDK’s retries, since the caller repeats a call with the same Idempotency-Key, and without its address:
 * requests go to the credential’s.
 */
export function createClient(
  Sdk: typeof Stripe,
  { upstreams, config }: Pick<Call, 'upstreams' | 'config'>,
  credential: StripeCredential,
): Stripe {
  const send = async (address: string | URL | Request, { method, headers, body, signal }: RequestInit = {}) => {
    const { pathname, search } = new URL(address instanceof Request ? address.url : address)
    const sent = new Headers(headers)
    sent.delete('content-length')
    const response = upstreams.fetch(credential, `${pathname}${search}`, {
      method,
      headers: Object.fromEntries(sent),
      ...(typeof body === 'string' && { body }),
      ...(signal && { signal }),
    })
    try {
      // The practice provider in this process doesn’t know the signal.
      return await checkForm(await (signal ? beforeAbort(signal, response) : response))
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

/** The SDK takes any JSON without an `error` for success, whatever its status. */
async function checkForm(response: Response): Promise<Response> {
  const text = await response.text()
  const { status, headers, ok } = response
  if (!hasMember(text, ok ? 'object' : 'error'))
    throw new OutboundError('lost', `The provider’s response (${status}) isn’t Stripe’s: ${text.slice(0, maxCause)}`)
  return new Response(text, { status, headers })
}

function hasMember(text: string, name: string): boolean {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && name in body
  } catch {
    return false
  }
}
