import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startInstagram } from '../counterparts/instagram/index.ts'
import { startLinkedIn } from '../counterparts/linkedin/index.ts'
import { startTikTok } from '../counterparts/tiktok/index.ts'
import { startX } from '../counterparts/x/index.ts'
import { read } from './read.ts'

const x = startX()
const linkedin = startLinkedIn()
const tiktok = startTikTok()
const instagram = startInstagram()
const seen: string[] = []

beforeAll(() => x.watch(async ({ host, method, path }) => void seen.push(`${host} ${method} ${path}`)))
afterAll(() => Promise.all([x, linkedin, tiktok, instagram].map((network) => network.stop())))

const post = (url: string) => read(fetch(url, { method: 'POST' }))

test('SOC-07 token endpoints answer faults in their own words', async () => {
  x.fail('api POST /2/oauth2/token', 'revoked_token')
  expect(await post(`${x.urls.api}/2/oauth2/token`)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  linkedin.fail('www POST /oauth/v2/accessToken', 'expired_token')
  expect(await post(`${linkedin.urls.www}/oauth/v2/accessToken`)).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  })
  tiktok.fail('api POST /v2/oauth/token/', 'unauthorized')
  expect(await post(`${tiktok.urls.api}/v2/oauth/token/`)).toMatchObject({ body: { error: 'invalid_client' } })
  instagram.fail('api POST /oauth/access_token', 'revoked_token')
  expect(await post(`${instagram.urls.api}/oauth/access_token`)).toMatchObject({
    body: { error_type: 'OAuthException' },
  })
  x.fail('api POST /2/oauth2/token', 'server_error')
  expect((await post(`${x.urls.api}/2/oauth2/token`)).status).toBe(503)
})

test('SOC-24 counterparts record what arrived, handled or not, and at unknown paths too', async () => {
  const token = x.signIn(x.account('ada')).access_token
  const send = () =>
    fetch(`${x.urls.api}/2/tweets?a=b`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"text":"Tea"}',
    })
  x.fail('api POST /2/tweets', 'forbidden')
  x.fail('api POST /2/tweets', 'connection_lost')
  await send()
  await send().catch(() => null)
  await fetch(`${x.urls.api}/2/unknown`)
  const arrived = x.callsOf('api POST /2/tweets')
  expect(arrived.map(({ status, text, bearer }) => [status, text, bearer])).toEqual([
    [0, '{"text":"Tea"}', token],
    [201, '{"text":"Tea"}', token],
  ])
  expect(x.calls.at(-1)).toMatchObject({ host: 'api', path: '/2/unknown', route: '' })
  expect(seen).toContain('api GET /2/unknown')
})

test('SOC-05 consent pages have links that a browser follows', async () => {
  const redirect_uri = 'https://app.example/callback'
  x.app.redirectUris.push(redirect_uri)
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: x.app.clientId,
    redirect_uri,
    state: 's',
    scope: 'tweet.read users.read',
    code_challenge: 'c',
    code_challenge_method: 'S256',
  })
  const page = await (await fetch(`${x.urls.www}/i/oauth2/authorize?${query}`)).text()
  expect(page).toContain('>Authorize app</a>')
  expect(page).toContain('error=access_denied')
  const broken = await fetch(`${x.urls.www}/i/oauth2/authorize?client_id=x`)
  expect([broken.status, await broken.text()]).toEqual([400, 'response_type is missing'])
})
