import { afterAll, beforeAll, expect, test } from 'bun:test'
import { UnsecuredJWT, SignJWT, generateKeyPair } from 'jose'
import { issuerClient, openForgingIssuer, type ForgingIssuer } from '../support/forging-issuer.ts'
import { openWorld, type World } from '../support/world.ts'

// ID tokens and responses that an honest provider never sends.

let world: World
let issuer: ForgingIssuer

beforeAll(async () => {
  issuer = await openForgingIssuer()
  world = await openWorld({
    env: {
      UPSTREAM_OIDC_ISSUER: issuer.issuer,
      UPSTREAM_OIDC_CLIENT_ID: issuerClient,
      UPSTREAM_OIDC_CLIENT_SECRET: 's',
    },
  })
})

afterAll(async () => {
  await world.close()
  await issuer.stop()
})

const start = () => world.stranger.fetch('POST /api/auth/sso/oidc', {}, { 'sec-fetch-site': 'same-origin' })

/** Signs in with a browser while the issuer manipulates its response. */
async function arrive(deceit: ForgingIssuer['deviations']): Promise<Response> {
  issuer.deviations = {}
  const started = await start()
  const { searchParams } = new URL(((await started.json()) as { authorizeUrl: string }).authorizeUrl)
  issuer.nonce = searchParams.get('nonce') ?? ''
  issuer.deviations = deceit
  const query = new URLSearchParams({ state: searchParams.get('state') ?? '', code: 'c' })
  const cookie = started.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const headers = { accept: 'text/html', cookie }
  return world.stranger.fetch(`GET /login/sso/oidc/callback?${query}`, undefined, headers)
}

const isIn = (response: Response): boolean =>
  response.headers.getSetCookie().some((text) => text.startsWith('session='))
const past = () => Math.floor(Date.now() / 1000) - 3600

const other = generateKeyPair('RS256')

const deceits: [string, ForgingIssuer['deviations']][] = [
  ['from another issuer', { claims: { iss: 'https://accounts.google.com' } }],
  ['for another audience', { claims: { aud: 'another-client' } }],
  ['for several audiences, authorized for another', { claims: { aud: [issuerClient, 'another'], azp: 'another' } }],
  ['for several audiences, without an authorized party', { claims: { aud: [issuerClient, 'another'] } }],
  ['with another nonce', { claims: { nonce: 'replayed' } }],
  ['without a nonce', { claims: { nonce: undefined } }],
  ['without an expiry', { claims: { exp: undefined } }],
  ['that has expired', { claims: { iat: past(), exp: past() + 60 } }],
  ['without a subject', { claims: { sub: undefined } }],
  ['with alg none', { sign: async (claims) => new UnsecuredJWT(claims).encode() }],
  [
    'signed by HS256 with the public key',
    {
      sign: (claims) =>
        new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'own' }).sign(Buffer.from(issuer.publicKey)),
    },
  ],
  [
    'signed by HS256 with the client secret',
    { sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'own' }).sign(Buffer.from('s')) },
  ],
  [
    'signed by another key of the same name',
    {
      sign: async (claims) =>
        new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign((await other).privateKey),
    },
  ],
  ['that can’t be parsed', { sign: async () => 'not.a.token' }],
  ['that was changed', { sign: async (claims, right) => `${await right(claims)}x` }],
  ['after the issuer changed its name', { named: 'https://accounts.google.com' }],
  ['that is missing', { tokenAnswer: () => Response.json({ access_token: 'a' }) }],
  ['replaced by a page', { tokenAnswer: () => new Response('<html>') }],
  ['replaced by an error', { tokenAnswer: () => new Response('no', { status: 500 }) }],
  [
    'behind a redirect',
    { tokenAnswer: () => new Response(null, { status: 307, headers: { location: 'http://127.0.0.1:1/token' } }) },
  ],
]

test.each(deceits)('IDN-08 provider sign-in is rejected for an ID token %s', async (_, deceit) => {
  const response = await arrive(deceit)
  expect(response.headers.get('location')).toStartWith('/login?failure=failed&provider=oidc&request=')
  expect(isIn(response)).toBe(false)
})

test('IDN-08 provider sign-in works with an unaltered ID token, and with email_verified as a string', async () => {
  expect(isIn(await arrive({ claims: { email_verified: 'true' } }))).toBe(true)
  expect(isIn(await arrive({ claims: { aud: [issuerClient, 'another'], azp: issuerClient } }))).toBe(true)
})

test('IDN-08 provider that is unreachable or has a different issuer returns 502 when the sign-in starts', async () => {
  issuer.deviations = { named: 'https://accounts.google.com' }
  const refused = await start()
  expect(refused.status).toBe(502)
  expect(await refused.json()).toMatchObject({ code: 'provider_unreachable' })
})
