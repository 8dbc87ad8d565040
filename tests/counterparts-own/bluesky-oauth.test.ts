import { afterEach, beforeEach, expect, test } from 'bun:test'
import { exportJWK } from 'jose'
import * as oauth from 'oauth4webapi'
import { startBluesky, type BlueskyCounterpart } from '../counterparts/bluesky.ts'
import type { Consent } from '../counterparts/wire/grants.ts'

// Bluesky’s authorization server and resource server, called by a certified client (oauth4webapi).

let bluesky: BlueskyCounterpart
let documents: Bun.Server<undefined>
let clientKey: oauth.CryptoKeyPair
let did: string

const clientId = 'https://app.example/oauth/client-metadata.json'
const redirectUri = 'https://app.example/callback'
const loopback = 'http://127.0.0.1:8080/callback'
const scope = 'atproto transition:generic'
const loopbackId = `http://localhost?${new URLSearchParams({ redirect_uri: 'http://127.0.0.1/callback', scope })}`
const insecure = { [oauth.allowInsecureRequests]: true }
let document: Record<string, unknown>
let contentType: string

beforeEach(async () => {
  bluesky = startBluesky()
  did = bluesky.account('ada.example.com').did
  clientKey = await oauth.generateKeyPair('ES256', { extractable: true })
  contentType = 'application/json'
  document = {
    client_id: clientId,
    client_name: 'App',
    client_uri: 'https://app.example',
    application_type: 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    scope,
    response_types: ['code'],
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'ES256',
    dpop_bound_access_tokens: true,
    jwks: { keys: [{ ...(await exportJWK(clientKey.publicKey)), kid: 'k1', use: 'sig', alg: 'ES256' }] },
  }
  documents = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response(JSON.stringify(document), { headers: { 'content-type': contentType } }),
  })
  bluesky.auth.reachable.set('https://app.example', documents.url.origin)
})
afterEach(async () => {
  await documents.stop(true)
  await bluesky.stop()
})

interface Caller {
  id: string
  redirectUri: string
  authentication: oauth.ClientAuth
}
const confidential = (): Caller => ({
  id: clientId,
  redirectUri,
  authentication: oauth.PrivateKeyJwt({ key: clientKey.privateKey, kid: 'k1' }),
})
const publicClient: Caller = { id: loopbackId, redirectUri: loopback, authentication: oauth.None() }

async function discover(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(bluesky.auth.issuer)
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
  return oauth.processDiscoveryResponse(issuer, response)
}

/** Repeats a request whose nonce was missing or has changed, as RFC 9449 says. */
async function withNonce<Result>(send: () => Promise<Result>): Promise<Result> {
  return send().catch((error: unknown) => {
    if (!oauth.isDPoPNonceError(error)) throw error
    return send()
  })
}

interface Flow {
  caller?: Caller
  consent?: Consent
  parameters?: Record<string, string>
  verifier?: string
}

async function begin({ caller = confidential(), parameters = {} }: Flow) {
  const server = await discover()
  const client = { client_id: caller.id }
  const keys = await oauth.generateKeyPair('ES256')
  const proof = oauth.DPoP({}, keys)
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const query = new URLSearchParams({
    response_type: 'code',
    redirect_uri: caller.redirectUri,
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...parameters,
  })
  const options = { DPoP: proof, ...insecure }
  const { request_uri: requestUri } = await withNonce(async () => {
    const response = await oauth.pushedAuthorizationRequest(server, client, caller.authentication, query, options)
    return oauth.processPushedAuthorizationResponse(server, client, response)
  })
  const page = new URL(server.authorization_endpoint ?? '')
  page.search = new URLSearchParams({ client_id: caller.id, request_uri: requestUri }).toString()
  return { server, client, caller, options, verifier, state, page }
}

async function signIn(flow: Flow = {}) {
  const started = await begin(flow)
  const { server, client, caller, options, verifier, state, page } = started
  const back = new URL(bluesky.auth.consent(page.href, did, flow.consent))
  const parameters = oauth.validateAuthResponse(server, client, back, state)
  const { authentication } = caller
  const redeem = (code = parameters, by = options) =>
    withNonce(async () => {
      const used = flow.verifier ?? verifier
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        code,
        caller.redirectUri,
        used,
        by,
      )
      return oauth.processAuthorizationCodeResponse(server, client, response)
    })
  const refresh = (token: string, by = options) =>
    withNonce(async () => {
      const response = await oauth.refreshTokenGrantRequest(server, client, authentication, token, by)
      return oauth.processRefreshTokenResponse(server, client, response)
    })
  const request = (token: string, method = 'GET', name = 'com.atproto.server.getSession', body?: string) =>
    withNonce(() =>
      oauth.protectedResourceRequest(
        token,
        method,
        new URL(`/xrpc/${name}`, bluesky.url),
        new Headers({ 'content-type': 'application/json' }),
        body,
        options,
      ),
    )
  return { ...started, redeem, refresh, request }
}

const errorOf = (failing: Promise<unknown>): Promise<unknown> =>
  failing.then(
    () => 'none',
    (error: unknown) => (error instanceof oauth.ResponseBodyError ? error.error : error),
  )

test.each(['confidential', 'loopback'] as const)(
  'SOC-08 Bluesky signs people in with a %s client, by pushed request, DPoP and PKCE',
  async (kind) => {
    const { redeem, refresh, request } = await signIn(kind === 'loopback' ? { caller: publicClient } : {})
    const tokens = await redeem()
    expect(tokens).toMatchObject({ token_type: 'dpop', scope, sub: did })
    expect(await (await request(tokens.access_token)).json()).toEqual({ did, handle: 'ada.example.com', active: true })
    const next = await refresh(tokens.refresh_token ?? '')
    expect((await request(next.access_token)).status).toBe(200)
  },
)

test('SOC-08 Bluesky ends a session whose refresh token is used twice', async () => {
  const { redeem, refresh } = await signIn()
  const { refresh_token: first = '' } = await redeem()
  const { refresh_token: second = '' } = await refresh(first)
  expect(await errorOf(refresh(first))).toBe('invalid_grant')
  expect(await errorOf(refresh(second))).toBe('invalid_grant')
})

test('SOC-08 Bluesky binds codes and tokens to the DPoP key and the verifier', async () => {
  const { redeem, refresh } = await signIn()
  const other = { DPoP: oauth.DPoP({}, await oauth.generateKeyPair('ES256')), ...insecure }
  const { refresh_token: token = '' } = await redeem()
  expect(await errorOf(refresh(token, other))).toBe('invalid_grant')
  const { redeem: redeemWrong } = await signIn({ verifier: oauth.generateRandomCodeVerifier() })
  expect(await errorOf(redeemWrong())).toBe('invalid_grant')
})

test('SOC-08 Bluesky’s nonces rotate: the former one is accepted once more, an older one is challenged', async () => {
  const { redeem, request } = await signIn()
  const tokens = await redeem()
  await request(tokens.access_token)
  const challenges: number[] = []
  for (const rotations of [1, 2]) {
    for (let rotation = 0; rotation < rotations; rotation++) bluesky.nonces.rotate()
    const before = bluesky.faults.requested('com.atproto.server.getSession')
    expect((await request(tokens.access_token)).status).toBe(200)
    challenges.push(bluesky.faults.requested('com.atproto.server.getSession') - before)
  }
  expect(challenges).toEqual([1, 2])
})

test('SOC-08 Bluesky refuses tokens without a proof, and writes without their scope', async () => {
  const { redeem, request } = await signIn({ consent: { without: ['transition:generic'] } })
  const { access_token: token } = await redeem()
  expect((await request(token, 'POST', 'com.atproto.repo.putRecord', '{}')).status).toBe(403)
  const bearer = await fetch(`${bluesky.url}/xrpc/com.atproto.server.getSession`, {
    headers: { authorization: `DPoP ${token}` },
  })
  expect([bearer.status, bearer.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringContaining('invalid_dpop_proof'),
  ])
})

test.each([
  ['an unknown field', { prompt: 'login' }, 'invalid_request'],
  ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['another redirect URI', { redirect_uri: 'https://evil.example/callback' }, 'invalid_request'],
  ['an unknown scope', { scope: 'atproto everything' }, 'invalid_scope'],
  ['no atproto scope', { scope: 'transition:generic' }, 'invalid_scope'],
])('SOC-08 Bluesky refuses a pushed request with %s', async (_, parameters, error) => {
  expect(await errorOf(begin({ parameters }))).toBe(error)
})

test('SOC-08 Bluesky refuses a pushed request with a wrong content type or without a proof', async () => {
  const post = (headers: Record<string, string>, body: string) =>
    fetch(`${bluesky.auth.issuer}/oauth/par`, { method: 'POST', headers, body })
  const json = await post({ 'content-type': 'application/json' }, '{}')
  expect([json.status, ((await json.json()) as { error: string }).error]).toEqual([400, 'invalid_request'])
  const fields = { client_id: clientId, response_type: 'code', scope, redirect_uri: redirectUri, state: 's'.repeat(20) }
  const body = new URLSearchParams({ ...fields, code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' })
  const bare = await post({ 'content-type': 'application/x-www-form-urlencoded' }, body.toString())
  expect([bare.status, ((await bare.json()) as { error: string }).error]).toEqual([400, 'invalid_dpop_proof'])
})

test.each([
  ['of another type', () => (contentType = 'text/plain'), 'invalid_client_metadata'],
  ['of another ID', () => (document['client_id'] = 'https://app.example/other'), 'invalid_client_metadata'],
  ['without DPoP', () => (document['dpop_bound_access_tokens'] = false), 'invalid_client_metadata'],
  ['with an unknown field', () => (document['secret'] = 'x'), 'invalid_client_metadata'],
  ['that can’t be fetched', () => bluesky.auth.reachable.clear(), 'invalid_client_metadata'],
  ['without its key', () => (document['jwks'] = { keys: otherKeys }), 'invalid_client'],
])('SOC-08 Bluesky refuses a client document %s', async (_, spoil, error) => {
  spoil()
  expect(await errorOf(begin({}))).toBe(error)
})

const otherKeys = [
  {
    kty: 'EC',
    crv: 'P-256',
    x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
    y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    kid: 'other',
  },
]

test.each(['client', 'person'] as const)('SOC-08 Bluesky ends a session that its %s revokes', async (who) => {
  const { redeem, refresh, request, server, client, caller } = await signIn()
  const { access_token: access, refresh_token: token = '' } = await redeem()
  if (who === 'person') bluesky.revoke(did)
  else
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, caller.authentication, token, insecure),
    )
  expect(await errorOf(refresh(token))).toBe('invalid_grant')
  expect((await request(access).catch((error: oauth.WWWAuthenticateChallengeError) => error)).status).toBe(401)
})
