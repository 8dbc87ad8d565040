import { unauthorized } from '#lib/errors.ts'
import { digest } from '#lib/ids.ts'
import { isApiKey } from './api-keys/key-text.ts'
import type { Validation } from './contract.ts'
import type { Credential } from './credential.ts'
import { hasKnownKey, type KeyStore } from './keys.ts'
import { readToken, type TokenClaims } from './tokens.ts'
import { lookUp, type Proof } from './validate.ts'
import type { ValidationCache } from './validation-cache.ts'

declare module '#lib/call.ts' {
  interface Provided {
    /** Identity's own answer to `/validate`, in its process. */
    readonly validate: Validator
  }
}

/** What stands behind a credential (IDN-05). Throws 401 when nothing does. */
export type Validator = (
  credential: Credential | null,
  options?: { passive?: boolean; since?: Date },
) => Promise<Validation>

/**
 * Answers by what is held. A good signature stays good until the token's end; what is granted to its session is another
 * question, whose answer ends by revocation. So a token that was not seen before costs its signature alone where its
 * session's grant is held.
 */
export function createValidator(store: KeyStore, cache: ValidationCache, lookUpProof = lookUp): Validator {
  const read = createTokenReader(store)

  const cached = async (key: string, proof: Proof, passive = false): Promise<Validation> => {
    const known = cache.get(key)
    if (known) return known
    const keep = cache.fill()
    const answer = await lookUpProof(store, proof, passive)
    keep(key, answer)
    return answer
  }

  const byToken = async (token: string, key: string, at: Date): Promise<Validation> => {
    const claims = await read(token, key, at)
    if (!claims) throw unauthorized('This token is not valid, or no longer.')
    const grant = await cached(grantOf(claims), claims)
    return { ...grant, expiresAt: earlier(claims.expiresAt, grant.expiresAt) }
  }

  return async (credential, { passive, since = store.now() } = {}) => {
    if (!credential) throw unauthorized()
    if ('session' in credential) return cached(digest(`session ${credential.session}`), credential, passive)
    const { bearer } = credential
    return isApiKey(bearer) ? cached(digest(bearer), { apiKey: bearer }) : byToken(bearer, digest(bearer), since)
  }
}

/** What all tokens of the same grant have in common. */
const grantOf = (claims: TokenClaims): string =>
  claims.tokenType === 'service'
    ? `service ${claims.caller} ${claims.audience} ${claims.keyId}`
    : `grant ${claims.sessionId} ${claims.organizationId}`

const earlier = (one: Date, other: Date | null): Date => (other && other < one ? other : one)

const maxTokens = 20_000

/** Reads tokens, each signature once; `key` is the token's digest. One that expired before `at` is undefined. */
function createTokenReader(store: KeyStore) {
  const good = new Map<string, TokenClaims>()
  return async (token: string, key: string, at: Date): Promise<TokenClaims | undefined> => {
    const known = good.get(key)
    // Known is its signature; the key could have been removed since.
    if (known && hasKnownKey(store, token)) return known.expiresAt > at ? known : undefined
    const claims = await readToken(store, token, at)
    if (good.size >= maxTokens) good.clear()
    if (claims) good.set(key, claims)
    return claims
  }
}
