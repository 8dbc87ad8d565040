import { calculateJwkThumbprint, importJWK, SignJWT } from 'jose'
import { newId } from '#lib/ids.ts'
import type { Clock } from '#lib/time.ts'
import { ServiceToken } from './contract.ts'
import { cacheTokens, type ServiceTokens } from './token-cache.ts'

/** Ed25519, as JWK. */
interface PrivateJwk {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  d: string
}

interface Options {
  slug: string
  key: PrivateJwk
  baseUrl: string
  fetch: (request: Request) => Promise<Response>
  now: Clock
}

/** An assertion is used immediately. */
const lifetimeSeconds = 60

/** It authenticates with a key pair whose public key identity knows (RFC 7523). */
export const createAssertedTokens = ({ slug, key, baseUrl, fetch, now }: Options): ServiceTokens =>
  cacheTokens(now, async (audience) => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await signAssertion(slug, key, now()),
      audience,
    })
    const response = await fetch(
      new Request(new URL('/api/internal/service-tokens', baseUrl), { method: 'POST', body }),
    )
    if (!response.ok) throw new Error(`Identity didn’t issue a token: ${response.status} ${await response.text()}`)
    const { access_token, expires_in } = ServiceToken.parse(await response.json())
    return { token: access_token, lifetime: expires_in }
  })

async function signAssertion(slug: string, key: PrivateJwk, now: Date): Promise<string> {
  const { kty, crv, x } = key
  const seconds = Math.floor(now.getTime() / 1000)
  return new SignJWT()
    .setProtectedHeader({ alg: 'EdDSA', kid: await calculateJwkThumbprint({ kty, crv, x }) })
    .setIssuer(slug)
    .setSubject(slug)
    .setAudience('platform-identity')
    .setJti(newId())
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + lifetimeSeconds)
    .sign(await importJWK(key, 'EdDSA'))
}
