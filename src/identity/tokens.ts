import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { sign, verify, type KeyStore } from './keys.ts'

/** Seconds that an access token lives (IDN-03). */
export const accessLifetime = 600
/** Seconds that a service token lives (IDN-40). */
const serviceLifetime = 300

const accessAudience = 'atrium'

const AccessClaims = z.object({
  aud: z.literal(accessAudience),
  sub: Id,
  sid: Id,
  org: Id.nullable(),
  exp: z.number(),
})
const ServiceClaims = z.object({ aud: z.string(), sub: z.string(), exp: z.number() })

interface AccessGrant {
  userId: string
  sessionId: string
  organizationId: string | null
}

/** What a token says of itself, once its signature and expiry are known to be good. */
export type TokenClaims =
  | ({ tokenType: 'access'; expiresAt: Date } & AccessGrant)
  | { tokenType: 'service'; caller: string; audience: string; expiresAt: Date }

/** A person's token for one context. */
export const accessToken = (store: KeyStore, grant: AccessGrant): Promise<string> =>
  sign(
    store,
    { aud: accessAudience, sub: grant.userId, sid: grant.sessionId, org: grant.organizationId },
    accessLifetime,
  )

/** A service's token for one other service: no person in it. */
const serviceToken = (store: KeyStore, caller: string, audience: string): Promise<string> =>
  sign(store, { aud: audience, sub: caller }, serviceLifetime)

/** What stands in a token of identity's own; undefined for any other text. */
export async function readToken(store: KeyStore, token: string): Promise<TokenClaims | undefined> {
  const claims = await verify(store, token)
  const access = AccessClaims.safeParse(claims)
  if (access.success) {
    const { sub, sid, org, exp } = access.data
    return { tokenType: 'access', userId: sub, sessionId: sid, organizationId: org, expiresAt: instant(exp) }
  }
  const service = ServiceClaims.safeParse(claims)
  if (!service.success || service.data.aud === accessAudience) return undefined
  const { sub, aud, exp } = service.data
  return { tokenType: 'service', caller: sub, audience: aud, expiresAt: instant(exp) }
}

const instant = (seconds: number): Date => new Date(seconds * 1000)

/**
 * Tokens by which `caller`, a service of this process, calls others: kept for most of their life.
 */
export function serviceTokens(store: KeyStore, caller: string): (audience: string) => Promise<string> {
  const kept = new Map<string, { token: Promise<string>; until: number }>()
  return (audience) => {
    const now = store.now().getTime()
    const known = kept.get(audience)
    if (known && known.until > now) return known.token
    const token = serviceToken(store, caller, audience)
    kept.set(audience, { token, until: now + (serviceLifetime - 60) * 1000 })
    token.catch(() => kept.delete(audience))
    return token
  }
}
