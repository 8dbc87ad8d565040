import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { hasKnownKey, sign, verify, type KeyStore } from './signing-keys.ts'
import { cacheTokens, type ServiceTokens } from './service-keys/token-cache.ts'

/** Seconds (IDN-03). */
export const accessLifetime = 600
/** Seconds (IDN-40). */
export const serviceLifetime = 300

const accessAudience = 'atrium'

const AccessClaims = z.object({
  aud: z.literal(accessAudience),
  sub: Id,
  sid: Id,
  org: Id.nullable(),
  exp: z.number(),
})
const ServiceClaims = z.object({ aud: z.string(), sub: z.string(), key: Id.nullable(), exp: z.number() })

const AppClaims = z.object({
  aud: z.string(),
  sub: Id,
  sid: Id,
  org: Id.nullable(),
  svc: Id,
  scope: z.literal('widgets.read'),
  current: z.boolean(),
  exp: z.number(),
})

/** Seconds (DSH-12). */
export const appLifetime = 60

interface AccessGrant {
  userId: string
  sessionId: string
  organizationId: string | null
  /** The only service that takes the token, and whose permissions it has. */
  app?: {
    slug: string
    serviceId: string
    /** Ends when the session switches to another context. */ isCurrent: boolean
  }
}

interface ServiceGrant {
  /** Slugs. */
  caller: string
  audience: string
  /** The key with which a service elsewhere authenticated; null for a service of this process. */
  keyId: string | null
}

/** Signature and expiry were verified. */
export type TokenClaims =
  ({ tokenType: 'access'; expiresAt: Date } & AccessGrant) | ({ tokenType: 'service'; expiresAt: Date } & ServiceGrant)

export const signAccessToken = (store: KeyStore, grant: AccessGrant): Promise<string> =>
  sign(
    store,
    { aud: accessAudience, sub: grant.userId, sid: grant.sessionId, org: grant.organizationId },
    accessLifetime,
  )

export const signAppToken = (
  store: KeyStore,
  { userId, sessionId, organizationId, app }: Required<AccessGrant>,
): Promise<string> =>
  sign(
    store,
    {
      aud: app.slug,
      sub: userId,
      sid: sessionId,
      org: organizationId,
      svc: app.serviceId,
      scope: 'widgets.read',
      current: app.isCurrent,
    },
    appLifetime,
  )

/** For an app of someone else: it names no session, and nothing of this product takes it. */
export const signForeignAppToken = (
  store: KeyStore,
  { userId, organizationId, serviceId }: { userId: string; organizationId: string | null; serviceId: string },
): Promise<string> =>
  sign(store, { aud: serviceId, sub: userId, org: organizationId, scope: 'widgets.read' }, appLifetime, 'widget+jwt')

export const signServiceToken = (store: KeyStore, { caller, audience, keyId }: ServiceGrant): Promise<string> =>
  sign(store, { aud: audience, sub: caller, key: keyId }, serviceLifetime)

/** Undefined for any text but a token of identity that had not expired at `at`. */
export async function readToken(store: KeyStore, token: string, at?: Date): Promise<TokenClaims | undefined> {
  const claims = await verify(store, token, at)
  const access = AccessClaims.safeParse(claims)
  if (access.success) {
    const { sub, sid, org, exp } = access.data
    return { tokenType: 'access', userId: sub, sessionId: sid, organizationId: org, expiresAt: dateOf(exp) }
  }
  const app = AppClaims.safeParse(claims)
  if (app.success && app.data.aud !== accessAudience) {
    const { sub, sid, org, svc, aud, current, exp } = app.data
    return {
      tokenType: 'access',
      userId: sub,
      sessionId: sid,
      organizationId: org,
      app: { slug: aud, serviceId: svc, isCurrent: current },
      expiresAt: dateOf(exp),
    }
  }
  const service = ServiceClaims.safeParse(claims)
  if (!service.success || service.data.aud === accessAudience) return undefined
  const { sub, aud, key, exp } = service.data
  return { tokenType: 'service', caller: sub, audience: aud, keyId: key, expiresAt: dateOf(exp) }
}

const dateOf = (seconds: number): Date => new Date(seconds * 1000)

export function serviceTokens(store: KeyStore, caller: string): ServiceTokens {
  const cached = cacheTokens(store.now, async (audience) => ({
    token: await signServiceToken(store, { caller, audience, keyId: null }),
    lifetime: serviceLifetime,
  }))
  return async (audience, options) => {
    const token = await cached(audience, options)
    // The key that signed it may have been removed.
    return options?.fresh || hasKnownKey(store, token) ? token : cached(audience, { fresh: true })
  }
}
