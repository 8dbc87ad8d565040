import { OutboundError } from '#lib/outbound.ts'
import { authHeaders } from '../providers/headers.ts'
import { dialectOf } from '../providers/known.ts'
import type { FindFault } from './checker.ts'
import { modelCredential } from './resolve.ts'

const timeoutMs = 10_000

/** Lists the provider’s models, which costs nothing. */
export const findModelsFault: FindFault = async ({ upstreams, signal }, stored) => {
  const credential = modelCredential(stored)
  const { provider, baseUrl, apiKey } = credential
  try {
    const response = await upstreams.fetch(credential, '/models', {
      headers: authHeaders(dialectOf(provider), apiKey),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel().catch(() => {})
    if (response.ok) return null
    if (response.status === 401 || response.status === 403) return `${provider} rejected the key (${response.status}).`
    return `${provider} responded ${response.status} to ${baseUrl}/models.`
  } catch (error) {
    if (error instanceof OutboundError) return error.message
    return `${provider} didn’t respond in time.`
  }
}
