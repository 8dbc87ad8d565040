import { unauthorized } from '#lib/errors.ts'
import type { Events } from '#lib/events.ts'
import { digest } from '#lib/ids.ts'
import type { Clock } from '#lib/time.ts'
import { isApiKey } from '../api-keys/validation/key-text.ts'
import type { Validation } from '../contract.ts'
import type { Credential } from './credential.ts'
import { everyone, Revocation, revocationEvent } from './revocation.ts'
import { hasKnownKey, type KeyStore } from './signing-keys.ts'
import { readToken, type TokenClaims } from './tokens.ts'
import { lookUp, type Proof } from './validate.ts'

declare module '#lib/call.ts' {
  interface Provided {
    readonly validate: Validator
  }
}

/** @throws {Problem} 401 for an invalid one */
type Validator = (credential: Credential | null, options?: { passive?: boolean; since?: Date }) => Promise<Validation>

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
    : `grant ${claims.sessionId} ${claims.organizationId} ${claims.app?.slug ?? ''} ${claims.app?.isCurrent ?? ''}`

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

interface Entry {
  validation: Validation
  /** Milliseconds of the clock at which the entry expires. */
  until: number
}

/** By the digest of the credential (IDN-05). */
interface ValidationCache {
  get(key: string): Validation | undefined
  /** Call it before the lookup. The function stores the result, unless something was revoked in the meantime. */
  fill(): (key: string, validation: Validation) => void
}

const maxEntries = 20_000
/** A bound even without revocations: a role's permissions change without an event. */
const maxAgeMs = 60_000
/** A local revocation has been committed after this time. */
const settlingMs = 5_000

/** It returns nothing while revocation events may be lost. */
export function createValidationCache(events: Events, now: Clock): ValidationCache {
  const entries = new Map<string, Entry>()
  const keysOf = new Map<string, Set<string>>()
  const settlingUntil = new Map<string, number>()
  let epoch = 0

  const clear = () => {
    epoch += 1
    entries.clear()
    keysOf.clear()
  }
  const dropEntries = (id: string) => {
    epoch += 1
    if (id === everyone) clear()
    for (const key of keysOf.get(id) ?? []) entries.delete(key)
    keysOf.delete(id)
    settlingUntil.set(id, now().getTime() + settlingMs)
    for (const [old, until] of settlingUntil) if (until < now().getTime()) settlingUntil.delete(old)
  }
  events.onGap(clear)
  events.subscribe(revocationEvent, Revocation, ({ id }) => dropEntries(id))

  const isSettling = (id: string) => (settlingUntil.get(id) ?? 0) > now().getTime()

  return {
    get: (key) => {
      const entry = entries.get(key)
      return entry && entry.until > now().getTime() && events.healthy() ? entry.validation : undefined
    },
    fill: () => {
      const began = epoch
      return (key, validation) => {
        const ids = idsOf(validation)
        if (began !== epoch || !events.healthy() || [everyone, ...ids].some(isSettling)) return
        if (entries.size >= maxEntries) clear()
        for (const id of ids) keysOf.set(id, (keysOf.get(id) ?? new Set()).add(key))
        const end = validation.expiresAt?.getTime() ?? Infinity
        entries.set(key, { validation, until: Math.min(end, now().getTime() + maxAgeMs) })
      }
    },
  }
}

/** The ids whose revocation drops the entry. */
function idsOf({ sessionId, apiKey, principal, organization, suspension, unmetRequirement }: Validation): string[] {
  const ids = [
    sessionId,
    apiKey?.id,
    principal.id,
    organization?.id,
    suspension?.organizationId,
    unmetRequirement?.organizationId,
  ]
  return ids.filter((id) => typeof id === 'string')
}
