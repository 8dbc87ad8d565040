import type { Call } from '#lib/call.ts'
import { storeHealth } from './health.ts'
import { countProof } from './proof.ts'
import type { ProviderCredential } from './resolve.ts'

type User = Pick<Call, 'db' | 'upstreams' | 'now' | 'log'>

interface Use<Secret, Result> {
  attempt(credential: ProviderCredential<Secret>): Promise<Result>
  /** The provider rejected the credential, and did nothing. Null for another failure. */
  rejectionOf(error: unknown): string | null
}

/**
 * Makes a call with the new key during a rotation, and again with the old one when the provider rejects the new one
 * (GTW-03). A rejection becomes the key’s health.
 */
export async function callWithCredential<Secret, Result>(
  call: User,
  credential: ProviderCredential<Secret>,
  { attempt, rejectionOf }: Use<Secret, Result>,
): Promise<Result> {
  const { id, old } = credential
  try {
    const result = await attempt(credential)
    if (old && id !== null)
      countProof(call, id).catch((error: unknown) => call.log.warn('proof of a key not stored', { id, error }))
    return result
  } catch (error) {
    const rejection = rejectionOf(error)
    if (rejection === null || id === null) throw error
    storeHealth(call.db, id, { healthy: false, checkedAt: call.now(), error: rejection }).catch((fault: unknown) =>
      call.log.warn('credential health not stored', { id, error: fault }),
    )
    if (!old) throw error
    return callWithCredential(call, old, { attempt, rejectionOf })
  }
}
