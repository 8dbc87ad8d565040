import type { Call } from '#lib/call.ts'
import { OutboundError } from '#lib/outbound.ts'
import type { StoredCredentialCheck } from '../contract/credentials.ts'
import { authHeaders } from '../providers/headers.ts'
import { dialectOf } from '../providers/known.ts'
import { storeHealth } from './health.ts'
import { openCredential, type SealedKey } from './resolve.ts'

type Checker = Pick<Call, 'db' | 'now' | 'secrets' | 'upstreams' | 'signal'>

const timeoutMs = 10_000

/** Lists the provider’s models, which costs nothing, and stores the result. */
export async function checkCredential(call: Checker, row: SealedKey): Promise<StoredCredentialCheck> {
  const error = await findFault(call, row)
  const check = { healthy: error === null, checkedAt: call.now(), error }
  await storeHealth(call.db, row.id, check)
  return check
}

/** Null when the provider accepts the key. */
export async function findFault(
  { secrets, upstreams, signal }: Pick<Checker, 'secrets' | 'upstreams' | 'signal'>,
  row: SealedKey,
): Promise<string | null> {
  const credential = openCredential(secrets, row)
  try {
    const response = await upstreams.fetch(credential, '/models', {
      headers: authHeaders(dialectOf(row.provider), credential.apiKey),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel().catch(() => {})
    if (response.ok) return null
    if (response.status === 401 || response.status === 403)
      return `${row.provider} rejected the key (${response.status}).`
    return `${row.provider} responded ${response.status} to ${row.baseUrl}/models.`
  } catch (error) {
    if (error instanceof OutboundError) return error.message
    return `${row.provider} didn’t respond in time.`
  }
}
