import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { administer, freshDatabase, type TestDatabase } from '../support/database.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'
import { bearer, password } from '../support/world.ts'

// OpenID clients from npm that know only the standards, over real sockets.

let fresh: TestDatabase
let server: Server
let cookie: string
let clientId: string
let callback: string
const email = 'ada@example.com'

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await serveInProcess({ databaseUrl: fresh.url })
  callback = `${server.url}/auth/callback`
  const person = { email, password, name: 'Ada', createOrganization: true, organizationName: 'Acme' }
  const registered = await post('/register', person, { 'sec-fetch-site': 'same-origin' })
  cookie = registered.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  // ID tokens omit unverified addresses.
  await administer(fresh.url, (sql) => sql`UPDATE identity.users SET email_verified_at = now()`)
  clientId = (await (await fetch(`${server.url}/api/services/by-slug/platform-socialize`)).json()).id
})
afterAll(async () => {
  await server.stop()
  await fresh.drop()
})

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** Opens the client's URL as the person's browser and returns the URL that it redirects back to. */
async function browse(url: URL): Promise<URL> {
  const answer = await fetch(url, { redirect: 'manual', headers: { cookie, accept: 'text/html' } })
  expect(answer.status).toBe(303)
  return new URL(answer.headers.get('location') ?? '')
}

const insecure = { execute: [client.allowInsecureRequests] }

test.each(['oidc', 'oauth2'] as const)(
  'IDN-23 openid-client runs discovery from %s, signs a person in, exchanges the code with PKCE and refreshes',
  async (algorithm) => {
    const config = await client.discovery(new URL(server.url), clientId, undefined, client.None(), {
      algorithm,
      ...insecure,
    })
    const verifier = client.randomPKCECodeVerifier()
    const [state, nonce] = [client.randomState(), client.randomNonce()]
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: 'openid profile email',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const back = await browse(url)
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
    const tokens = await client.authorizationCodeGrant(config, back, checks)
    expect(tokens.claims()).toMatchObject({ aud: clientId, iss: server.url, name: 'Ada', email, email_verified: true })
    expect([tokens.token_type, tokens.expires_in, tokens.scope]).toEqual(['bearer', 600, 'openid profile email'])
    const me = await (await fetch(`${server.url}/api/auth/me`, { headers: bearer(tokens.access_token) })).json()
    expect(me.user.email).toBe(email)
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(refreshed.access_token).not.toBe(tokens.access_token)
    const asBearer = await fetch(`${server.url}/validate`, { headers: bearer(tokens.id_token ?? '') })
    expect(asBearer.status).toBe(401)
    await expect(client.authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({ error: 'invalid_grant' })
    const after = await fetch(`${server.url}/validate`, { headers: bearer(refreshed.access_token) })
    expect(after.status).toBe(401)
  },
)

test('IDN-23 oauth4webapi signs a person in step by step and accepts the issuer in the response', async () => {
  const insecureToo = { [oauth.allowInsecureRequests]: true }
  const issuer = new URL(server.url)
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecureToo })
  const as = await oauth.processDiscoveryResponse(issuer, found)
  expect(as.authorization_response_iss_parameter_supported).toBe(true)
  const me: oauth.Client = { client_id: clientId }
  const verifier = oauth.generateRandomCodeVerifier()
  const url = new URL(as.authorization_endpoint ?? '')
  const options = {
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    state: 'here',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  url.search = new URLSearchParams(options).toString()
  const params = oauth.validateAuthResponse(as, me, await browse(url), 'here')
  const request = await oauth.authorizationCodeGrantRequest(
    as,
    me,
    oauth.None(),
    params,
    callback,
    verifier,
    insecureToo,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(as, me, request)
  const refreshing = await oauth.refreshTokenGrantRequest(as, me, oauth.None(), tokens.refresh_token ?? '', insecureToo)
  expect((await oauth.processRefreshTokenResponse(as, me, refreshing)).token_type).toBe('bearer')
})

const form = (fields: Record<string, string>) =>
  fetch(`${server.url}/sso/exchange`, { method: 'POST', body: new URLSearchParams(fields) })

test.each([
  ['unsupported_grant_type', { grant_type: 'password' }],
  ['unsupported_grant_type', { grant_type: 'constructor' }],
  ['invalid_request', { grant_type: 'authorization_code' }],
  ['invalid_request', { grant_type: 'authorization_code', client_id: 'platform-socialize', code: 'x' }],
  ['invalid_request', { grant_type: 'refresh_token', client_id: 'platform-socialize' }],
  ['invalid_grant', { grant_type: 'refresh_token', client_id: 'platform-socialize', refresh_token: 'x' }],
])('IDN-23 token endpoint returns the RFC 6749 error %s for %o', async (error, fields: Record<string, string>) => {
  const answer = await form(fields)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/json'])
  expect(await answer.json()).toEqual({ error, error_description: expect.any(String) })
})

test('IDN-23 refresh token is rejected from a different client and for a first-party session', async () => {
  const { refreshToken } = await (await post('/api/auth/login', { email, password })).json()
  const fields = { grant_type: 'refresh_token', client_id: 'platform-socialize', refresh_token: refreshToken }
  expect((await form(fields)).status).toBe(400)
  const still = await post('/api/auth/refresh', { refreshToken })
  expect(still.status).toBe(200)
})
