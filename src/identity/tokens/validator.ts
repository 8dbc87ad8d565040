import { unauthorized } from '#lib/errors.ts'
import { digest } from '#lib/ids.ts'
import { isApiKey } from '../api-keys/key-text.ts'
import type { Validation } from '../contract.ts'
import type { Credential } from './credential.ts'
import { hasKnownKey, type KeyStore } from './signing-keys.ts'
import { readToken, type TokenClaims } from './tokens.ts'
import { lookUp, type Proof } from './validate.ts'
import type { ValidationCache } from './validation-cache.ts'

declare module '#lib/call.ts' {
  interface Provided {
    readonly validate: Validator
  }
}

/** @throws {Problem} 401 for an invalid one */
export type Validator = (
  credential: Credential | null,
  options?: { passive?: boolean; since?: Date },
) => Promise<Validation>

/** What the session grants is cached separately, so a new token of a known session costs one signature check. */
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
    if (!claims) throw unauthorized('This token is invalid or has expired.')
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

/** All tokens of one grant share it. */
const grantOf = (claims: TokenClaims): string =>
  claims.tokenType === 'service'
    ? `service ${claims.caller} ${claims.audience} ${claims.keyId}`
    : `grant ${claims.sessionId} ${claims.organizationId}`

const earlier = (one: Date, other: Date | null): Date => (other && other < one ? other : one)

const maxTokens = 20_000

/** `key` is the token's digest. Undefined for a token that expired before `at`. */
function createTokenReader(store: KeyStore) {
  const good = new Map<string, TokenClaims>()
  return async (token: string, key: string, at: Date): Promise<TokenClaims | undefined> => {
    const known = good.get(key)
    // Only the signature is cached; its key may have been removed since.
    if (known && hasKnownKey(store, token)) return known.expiresAt > at ? known : undefined
    const claims = await readToken(store, token, at)
    if (good.size >= maxTokens) good.clear()
    if (claims) good.set(key, claims)
    return claims
  }
}
