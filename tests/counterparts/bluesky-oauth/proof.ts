import { calculateJwkThumbprint, decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Nonces } from './nonces.ts'

const Header = z.strictObject({
  typ: z.literal('dpop+jwt'),
  alg: z.literal('ES256'),
  // A private member is refused as unknown.
  jwk: z.strictObject({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() }),
})
const Claims = z.strictObject({
  jti: z.string().min(16),
  htm: z.string(),
  htu: z.string(),
  iat: z.int(),
  nonce: z.string().optional(),
  ath: z.string().optional(),
})

interface Proved {
  method: string
  /** Without its query. */
  url: string
  /** Of a request to a PDS. */
  accessToken?: string
}

/** Why a proof isn’t accepted. */
export interface ProofFault {
  error: 'invalid_dpop_proof' | 'use_dpop_nonce'
  message: string
}

const maxAgeSeconds = 60

/** The thumbprint of the key that signed the proof, or its fault (RFC 9449, 4.3). */
export async function checkProof(
  proof: string | null,
  nonces: Nonces,
  { method, url, accessToken }: Proved,
): Promise<string | ProofFault> {
  const faulty = (message: string): ProofFault => ({ error: 'invalid_dpop_proof', message })
  if (!proof) return faulty('DPoP proof required')
  if (proof.includes(',')) return faulty('Several DPoP proofs')
  try {
    const { jwk } = Header.parse(decodeProtectedHeader(proof))
    const { payload } = await jwtVerify(proof, await importJWK(jwk, 'ES256'))
    const { jti, htm, htu, iat, nonce, ath } = Claims.parse(payload)
    if (htm !== method) return faulty('DPoP htm mismatch')
    if (htu !== url) return faulty('DPoP htu mismatch')
    if (Math.abs(Date.now() / 1000 - iat) > maxAgeSeconds) return faulty('DPoP proof is not recent')
    if (!nonces.accepts(nonce)) return { error: 'use_dpop_nonce', message: 'DPoP nonce is required or has changed' }
    if (!nonces.use(jti)) return faulty('DPoP proof was used before')
    if (ath !== (accessToken === undefined ? undefined : hashOf(accessToken))) return faulty('DPoP ath mismatch')
    return await calculateJwkThumbprint(jwk)
  } catch (error) {
    return faulty(error instanceof Error ? error.message : 'Malformed')
  }
}

const hashOf = (token: string): string => new Bun.CryptoHasher('sha256').update(token).digest('base64url')
