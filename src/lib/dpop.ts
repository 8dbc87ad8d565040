import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose'
import { z } from 'zod'
import { randomToken } from './ids.ts'
import type { Outbound, OutboundInit } from './outbound.ts'

const alg = 'ES256'

/** Of P-256: 32 bytes. */
const Coordinate = z.string().regex(/^[\w-]{43}$/)
const PrivateKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: Coordinate,
  y: Coordinate,
  d: Coordinate,
})

/** As JSON. */
export const ProofKey = z
  .string()
  .max(1000)
  .refine((text) => readKey(text).success, 'Must be a private JWK of P-256.')

function readKey(text: string) {
  try {
    return PrivateKey.safeParse(JSON.parse(text))
  } catch {
    return PrivateKey.safeParse(null)
  }
}

/** A private key for DPoP proofs (RFC 9449), as JSON of its JWK: tokens that are bound to it are worthless without. */
export async function generateProofKey(): Promise<string> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return JSON.stringify(PrivateKey.parse(await exportJWK(privateKey)))
}

interface Proven {
  key: string
  /** For a resource server. */
  accessToken?: string
}

/** The last nonce of each server, by origin. Servers challenge a request that has none or an old one. */
const nonces = new Map<string, string>()
const maxNonces = 1_000

/** Sends a request with a proof, and once more when the server wants another nonce. @throws as `outbound.fetch` */
export async function fetchWithProof(
  { fetch }: Pick<Outbound, 'fetch'>,
  url: URL,
  init: OutboundInit & { method: string },
  proven: Proven,
): Promise<Response> {
  const send = async (): Promise<Response> => {
    const headers = new Headers(init.headers)
    headers.set('dpop', await createProof(url, init.method, proven))
    if (proven.accessToken !== undefined) headers.set('authorization', `DPoP ${proven.accessToken}`)
    // A redirect would need a proof of its own.
    const response = await fetch(url, { ...init, headers, maxRedirects: 0 })
    keepNonce(url.origin, response.headers.get('dpop-nonce'))
    return response
  }
  const former = nonces.get(url.origin)
  const response = await send()
  return nonces.get(url.origin) !== former && (await isChallenge(response)) ? send() : response
}

async function createProof(url: URL, method: string, { key, accessToken }: Proven): Promise<string> {
  const { d, ...jwk } = PrivateKey.parse(JSON.parse(key))
  const nonce = nonces.get(url.origin)
  return new SignJWT({
    jti: randomToken(16),
    htm: method,
    htu: url.origin + url.pathname,
    ...(nonce !== undefined && { nonce }),
    ...(accessToken !== undefined && { ath: new Bun.CryptoHasher('sha256').update(accessToken).digest('base64url') }),
  })
    .setProtectedHeader({ typ: 'dpop+jwt', alg, jwk })
    .setIssuedAt()
    .sign(await importJWK({ ...jwk, d }, alg))
}

function keepNonce(origin: string, nonce: string | null): void {
  if (nonce === null || nonce.length > 500) return
  nonces.delete(origin)
  nonces.set(origin, nonce)
  const [oldest] = nonces.keys()
  if (nonces.size > maxNonces && oldest !== undefined) nonces.delete(oldest)
}

const Challenge = z.object({ error: z.literal('use_dpop_nonce') })

/** Such a response means that nothing was done: authorization servers say it in the body, resource servers in a header. */
async function isChallenge(response: Response): Promise<boolean> {
  if (response.status !== 400 && response.status !== 401) return false
  if (response.headers.get('www-authenticate')?.includes('use_dpop_nonce')) return true
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return Challenge.safeParse(body).success
}
