import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'

/** Deviations in the next responses of a issuer issuer. */
interface Deviations {
  /** The issuer's name in its metadata. */
  named?: string
  /** Claims added to or replacing the right ones; undefined removes one. */
  claims?: JWTPayload
  sign?: (claims: JWTPayload, right: (claims: JWTPayload) => Promise<string>) => Promise<string>
  /** The whole response of the token endpoint. */
  tokenAnswer?: () => Response
}

/** An issuer on loopback that deceives as configured. */
export interface ForgingIssuer {
  issuer: string
  deviations: Deviations
  /** The last nonce it received. */
  nonce: string
  /** As in its key set, which is public. */
  publicKey: string
  stop(): Promise<void>
}

export const issuerClient = 'atrium'

/** Starts it. */
export async function openForgingIssuer(): Promise<ForgingIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }
  const right = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign(privateKey)
  const issuer = { issuer: '', deviations: {} as Deviations, nonce: '', publicKey: JSON.stringify(jwk) }
  const claimsOf = (): JWTPayload => {
    const now = Math.floor(Date.now() / 1000)
    const reported = { sub: 'eve', email: 'eve@example.com', email_verified: true, name: 'Eve' }
    const usual = { iss: issuer.issuer, aud: issuerClient, nonce: issuer.nonce, iat: now, exp: now + 60 }
    return { ...reported, ...usual, ...issuer.deviations.claims }
  }
  const metadata = () => ({
    issuer: issuer.deviations.named ?? issuer.issuer,
    authorization_endpoint: `${issuer.issuer}/authorize`,
    token_endpoint: `${issuer.issuer}/token`,
    jwks_uri: `${issuer.issuer}/jwks`,
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  })
  const token = async () => {
    const { sign = (claims: JWTPayload) => right(claims), tokenAnswer } = issuer.deviations
    if (tokenAnswer) return tokenAnswer()
    return Response.json({ access_token: 'a', token_type: 'Bearer', id_token: await sign(claimsOf(), right) })
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/.well-known/openid-configuration': () => Response.json(metadata()),
      '/jwks': () => Response.json({ keys: [jwk] }),
      '/token': { POST: token },
    },
    fetch: () => new Response(null, { status: 404 }),
  })
  issuer.issuer = `http://127.0.0.1:${server.port}`
  return Object.assign(issuer, { stop: () => server.stop(true) })
}
