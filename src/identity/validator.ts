import { unauthorized } from '#lib/errors.ts'
import { digest } from '#lib/ids.ts'
import { isApiKey } from './api-keys/form.ts'
import type { Validation } from './contract.ts'
import type { Credential } from './credential.ts'
import type { KeyStore } from './keys.ts'
import { readToken } from './tokens.ts'
import { lookUp } from './validate.ts'
import type { ValidationCache } from './validation-cache.ts'

declare module '#lib/call.ts' {
  interface Provided {
    /** Identity's own answer to `/validate`, in its process. */
    readonly validate: Validator
  }
}

/** What stands behind a credential (IDN-05). Throws 401 when nothing does. */
export type Validator = (credential: Credential | null) => Promise<Validation>

/**
 * Answers by what the cache holds. A token that was not seen before costs its signature alone where its session's grant
 * is known: signatures are never taken for granted, grants end by revocation.
 */
export function createValidator(store: KeyStore, cache: ValidationCache, look = lookUp): Validator {
  const held = async (key: string, ask: () => Promise<Validation>): Promise<Validation> => {
    const keep = cache.fill()
    const answer = await ask()
    keep(key, answer)
    return answer
  }

  const byToken = async (bearer: string): Promise<Validation> => {
    const claims = await readToken(store, bearer)
    if (!claims) throw unauthorized('This token is not valid, or no longer.')
    if (claims.tokenType === 'service') return look(store, claims)
    const key = `${claims.sessionId} ${claims.organizationId}`
    const grant = cache.get(key) ?? (await held(key, () => look(store, claims)))
    return { ...grant, expiresAt: earlier(claims.expiresAt, grant.expiresAt) }
  }

  const fresh = (credential: Credential): Promise<Validation> => {
    if ('session' in credential) return look(store, credential)
    const { bearer } = credential
    return isApiKey(bearer) ? look(store, { apiKey: bearer }) : byToken(bearer)
  }

  return async (credential) => {
    if (!credential) throw unauthorized()
    const key = digest('session' in credential ? `session ${credential.session}` : credential.bearer)
    return cache.get(key) ?? held(key, () => fresh(credential))
  }
}

const earlier = (one: Date, other: Date | null): Date => (other && other < one ? other : one)
