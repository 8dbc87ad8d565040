import { and, eq, isNull } from 'drizzle-orm'
import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { digest } from '#lib/ids.ts'
import { serviceAssertions, serviceKeys, services } from '../../schema.ts'
import type { PublicJwk } from './contract.ts'

const maxLifetimeSeconds = 300
const clockSkewSeconds = 30

interface Expected {
  /** Accepted audiences: identity’s origin, the token endpoint, identity’s slug. */
  audiences: string[]
  now: Date
}

export interface AuthenticatedService {
  slug: string
  keyId: string
}

/**
 * RFC 7523 §3: signed by a registered key, for identity, short-lived and used once. @throws 401 `invalid_client`,
 * with details only after the signature was verified
 */
export async function consumeAssertion(
  db: Database,
  assertion: string,
  expected: Expected,
): Promise<AuthenticatedService> {
  const claims = await verifySignature(db, assertion, expected.now)
  if (!claims) throw invalidClient('This assertion is not signed with a registered key of the service.')
  if (![claims.aud].flat().some((audience) => expected.audiences.includes(audience)))
    throw invalidClient(`This assertion is for another audience. Set "aud" to ${expected.audiences[0]}.`)
  const seconds = expected.now.getTime() / 1000
  if (claims.exp <= seconds - clockSkewSeconds || claims.exp > seconds + maxLifetimeSeconds + clockSkewSeconds)
    throw invalidClient(`"exp" must be in the future, by at most ${maxLifetimeSeconds} seconds.`)
  if (claims.nbf !== undefined && claims.nbf > seconds + clockSkewSeconds)
    throw invalidClient('This assertion is not valid yet.')
  const [used] = await db
    .insert(serviceAssertions)
    .values({
      serviceKeyId: claims.key.id,
      jtiHash: digest(claims.jti),
      expiresAt: new Date((claims.exp + clockSkewSeconds) * 1000),
    })
    .onConflictDoNothing()
    .returning()
  if (!used) throw invalidClient('This assertion was already used. Sign a new one with its own "jti" for each request.')
  return { slug: claims.sub, keyId: claims.key.id }
}

const invalidClient = (detail: string) =>
  new Problem(401, 'invalid_client', detail, { members: { error: 'invalid_client' } })

const Identifiers = z.object({ iss: z.string(), sub: z.string() })
const Header = z.object({ kid: z.string().optional() })

async function verifySignature(db: Database, assertion: string, now: Date) {
  const named = Identifiers.safeParse(decodeOrUndefined(() => decodeJwt(assertion)))
  const header = Header.safeParse(decodeOrUndefined(() => decodeProtectedHeader(assertion)))
  if (!named.success || !header.success || named.data.iss !== named.data.sub) return undefined
  for (const key of await listKeys(db, named.data.sub, header.data.kid)) {
    const claims = await verifyClaims(assertion, key.publicKey, now)
    if (claims) return { ...claims, key }
  }
  return undefined
}

/** Of a first-party service; only the named one if there is a thumbprint. */
const listKeys = (db: Database, slug: string, thumbprint: string | undefined) =>
  db
    .select({ id: serviceKeys.id, publicKey: serviceKeys.publicKey })
    .from(serviceKeys)
    .innerJoin(services, and(eq(services.id, serviceKeys.serviceId), eq(services.firstParty, true)))
    .where(
      and(
        eq(services.slug, slug),
        thumbprint === undefined ? undefined : eq(serviceKeys.thumbprint, thumbprint),
        isNull(serviceKeys.revokedAt),
      ),
    )

const Claims = z.object({
  sub: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  exp: z.number(),
  nbf: z.number().optional(),
  jti: z.string().min(1).max(255),
})

/** The caller checks their times, and can report what is wrong with them. */
async function verifyClaims(assertion: string, jwk: PublicJwk, now: Date) {
  const alg = jwk.kty === 'OKP' ? 'EdDSA' : 'ES256'
  const options = { algorithms: [alg], currentDate: now, clockTolerance: Number.MAX_SAFE_INTEGER }
  const verified = await jwtVerify(assertion, await importJWK(jwk, alg), options).catch(() => undefined)
  return Claims.safeParse(verified?.payload).data
}

function decodeOrUndefined(decode: () => unknown): unknown {
  try {
    return decode()
  } catch {
    return undefined
  }
}
