import { and, eq, isNull } from 'drizzle-orm'
import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { digest } from '#lib/ids.ts'
import { serviceAssertions, serviceKeys, services } from '../schema.ts'
import type { PublicJwk } from './contract.ts'

/** Seconds that an assertion may live, and by which clocks may differ. */
const maxLifetimeSeconds = 300
const clockSkewSeconds = 30

interface Expected {
  /** Any of these may be named as the audience: identity's address, that of the token's route, its slug. */
  audiences: string[]
  now: Date
}

/** Which service of the platform proved itself, and by which of its keys. */
export interface AuthenticatedService {
  slug: string
  keyId: string
}

/**
 * Spends a client assertion (RFC 7523 §3): signed by a registered key, for identity, short-lived and used once. Throws
 * 401 `invalid_client` saying what was wrong once the signature is known to be good, and nothing before.
 */
export async function consumeAssertion(
  db: Database,
  assertion: string,
  expected: Expected,
): Promise<AuthenticatedService> {
  const claims = await verifySignature(db, assertion, expected.now)
  if (!claims) throw invalidClient('No registered key of this service signed this assertion.')
  if (![claims.aud].flat().some((audience) => expected.audiences.includes(audience)))
    throw invalidClient(`This assertion is meant for another audience. Name ${expected.audiences[0]} in "aud".`)
  const seconds = expected.now.getTime() / 1000
  if (claims.exp <= seconds - clockSkewSeconds || claims.exp > seconds + maxLifetimeSeconds + clockSkewSeconds)
    throw invalidClient(`"exp" must be at most ${maxLifetimeSeconds} seconds ahead, and not over.`)
  if (claims.nbf !== undefined && claims.nbf > seconds + clockSkewSeconds)
    throw invalidClient('This assertion is not good yet.')
  const [spent] = await db
    .insert(serviceAssertions)
    .values({
      serviceKeyId: claims.key.id,
      jtiHash: digest(claims.jti),
      expiresAt: new Date((claims.exp + clockSkewSeconds) * 1000),
    })
    .onConflictDoNothing()
    .returning()
  if (!spent) throw invalidClient('This assertion was used before. Sign one for each request, with a "jti" of its own.')
  return { slug: claims.sub, keyId: claims.key.id }
}

const invalidClient = (detail: string) =>
  new Problem(401, 'invalid_client', detail, { members: { error: 'invalid_client' } })

const Identifiers = z.object({ iss: z.string(), sub: z.string() })
const Header = z.object({ kid: z.string().optional() })

/** What it says, and by which key of the service that it says it comes from. */
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

/** Of a service of the platform; one of them alone when its thumbprint is named. */
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

/** What it says, when this key signed it. Its times are looked at afterwards, where it can be said what is wrong with them. */
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
