import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Connection } from '#social/types'
import { startX, type Account, type XCounterpart } from '../../counterparts/x/index.ts'
import { openWorld, type Caller, type World } from '../../support/world.ts'
import { startYouTube, type YouTubeCounterpart } from '../../counterparts/youtube/index.ts'
import { networkEnv } from './support/origins.ts'

let world: World
let x: XCounterpart
let youtube: YouTubeCounterpart

beforeAll(async () => {
  x = startX({ redirectUris: ['http://localhost/workspace/accounts/callback/x'] })
  youtube = startYouTube({ redirectUris: ['http://localhost/workspace/accounts/callback/youtube'] })
  world = await openWorld({ env: networkEnv({ x, youtube }) })
  for (const [provider, { clientId, clientSecret }] of [
    ['x', x.app],
    ['youtube', youtube.app],
  ] as const)
    await world.ada.fetchJson(`PUT /api/credentials/${provider}`, { label: 'main', secret: { clientId, clientSecret } })
})
afterAll(async () => {
  await Promise.all([x.stop(), youtube.stop()])
  await world.close()
})

async function connect(username: string): Promise<{ id: string; account: Account }> {
  const account = x.account(username)
  return { id: await connectTo('x', account.id, (url) => x.consent(url, account)), account }
}

async function connectTo(provider: 'x' | 'youtube', accountId: string, consent: (url: string) => string) {
  const brandId = world.ada.things.brands
  const started = await world.ada.fetchJson<{ authorizeUrl: string }>(
    `POST /api/integrations/${provider}/connect`,
    { brandId },
    201,
  )
  const { pathname, search } = new URL(consent(started.authorizeUrl))
  await world.ada.fetch(`GET ${pathname}${search}`, undefined, { accept: 'text/html' })
  const { items } = await world.ada.fetchJson<{ items: Connection[] }>(
    `GET /api/accounts?provider=${provider}&limit=100`,
  )
  return items.find((item) => item.account.id === accountId)?.id ?? ''
}

const expireIn = (id: string, seconds: number) =>
  world.database
    .sql`UPDATE social.connections SET expires_at = now() + ${seconds} * interval '1 second' WHERE id = ${id}`

const refresh = async (id: string, caller: Caller = world.socialServices['platform-gateway'] ?? world.stranger) => {
  const response = await caller.fetch(`POST /api/internal/connections/${id}/refresh`, {})
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const tokenRequests = () => x.callsOf('api POST /2/oauth2/token').length

test('SOC-07 ten services that need a token refresh it once', async () => {
  const { id } = await connect('ten')
  await expireIn(id, 30)
  const before = tokenRequests()
  const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(id)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  expect(tokenRequests()).toBe(before + 1)
  const { refreshed, expiresAt } = (await refresh(id)).body
  expect([refreshed, Date.parse(String(expiresAt)) - Date.now() > 7_000_000]).toEqual([false, true])
  expect(tokenRequests()).toBe(before + 1)
})

test('SOC-07 token of YouTube is refreshed once for ten services, each time with the same refresh token', async () => {
  const channel = youtube.channel('ten')
  const id = await connectTo('youtube', channel.id, (url) => youtube.consent(url, channel))
  const requests = () => youtube.callsOf('oauth POST /token').length
  for (const _ of [1, 2]) {
    await expireIn(id, 30)
    const before = requests()
    const responses = await Promise.all(Array.from({ length: 10 }, () => refresh(id)))
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(requests()).toBe(before + 1)
  }
  youtube.grants.revoke(channel.id)
  await expireIn(id, 30)
  expect(await refresh(id)).toMatchObject({ status: 409, body: { code: 'signed_out' } })
})

test('SOC-07 refresh is only accepted from services', async () => {
  const { id } = await connect('guarded')
  expect((await refresh(id, world.ada)).status).toBe(403)
  expect((await refresh(id, world.stranger)).status).toBe(401)
})

test('SOC-07 refresh that X answers with an error keeps the account, and a refused one signs it out', async () => {
  const { id, account } = await connect('kept')
  await expireIn(id, -30)
  x.fail('api POST /2/oauth2/token', 'server_error')
  expect(await refresh(id)).toMatchObject({ status: 502, body: { code: 'provider_error' } })
  x.fail('api POST /2/oauth2/token', 'connection_lost')
  expect(await refresh(id)).toMatchObject({ status: 502 })
  const read = () => world.ada.fetchJson<Connection>(`GET /api/accounts/${id}`)
  expect((await read()).health).toBe('ok')
  x.grants.revoke(account.id)
  expect(await refresh(id)).toMatchObject({ status: 409, body: { code: 'signed_out' } })
  expect((await read()).health).toBe('signed_out')
})

/** As if the server had been killed before it stored the new tokens. */
async function loseNewTokens(id: string): Promise<void> {
  const { sql } = world.database
  const [before] = await sql`SELECT sealed_tokens FROM social.connections WHERE id = ${id}`
  expect(await refresh(id)).toMatchObject({ status: 200, body: { refreshed: true } })
  await sql`UPDATE social.connections SET sealed_tokens = ${before?.['sealed_tokens']} WHERE id = ${id}`
  await expireIn(id, 30)
}

test('SOC-07 GTW-04 refresh whose single-use tokens were lost gets them again without another request to X', async () => {
  const { id } = await connect('lost')
  await expireIn(id, 30)
  const before = tokenRequests()
  await loseNewTokens(id)
  expect(await refresh(id)).toMatchObject({ status: 200, body: { refreshed: true } })
  expect(tokenRequests()).toBe(before + 1)
  await expireIn(id, 30)
  expect(await refresh(id)).toMatchObject({ status: 200, body: { refreshed: true } })
  expect(tokenRequests()).toBe(before + 2)
})

test('SOC-07 GTW-04 lost tokens that have expired since are refreshed once more', async () => {
  const { id } = await connect('late')
  await expireIn(id, 30)
  await loseNewTokens(id)
  await world.database.sql`
    UPDATE gateway.social_token_refreshes SET responded_at = now() - interval '3 hours' WHERE account_id = ${id}`
  const before = tokenRequests()
  const { status, body } = await refresh(id)
  expect([status, body['refreshed']]).toEqual([200, true])
  expect(Date.parse(String(body['expiresAt'])) - Date.now()).toBeGreaterThan(7_000_000)
  expect(tokenRequests()).toBe(before + 1)
  expect((await world.ada.fetchJson<Connection>(`GET /api/accounts/${id}`)).health).toBe('ok')
})

test('SOC-07 accounts of other networks are not refreshed here, and unknown ones are 404', async () => {
  expect(await refresh(world.ada.things.accounts)).toMatchObject({ status: 409, body: { code: 'not_refreshable' } })
  expect((await refresh('00000000-0000-4000-8000-000000000009')).status).toBe(404)
})

test('GTW-04 secret of an app is in no response of the gateway, and tokens are sealed', async () => {
  const { id } = await connect('sealed')
  const [row] = await world.database.sql`SELECT to_jsonb(c)::text AS row FROM social.connections c WHERE id = ${id}`
  const token = x.grants.of(x.account('other').id)[0]?.value ?? x.app.clientSecret
  expect(String(row?.['row'])).not.toContain(token)
  const listed = await (await world.ada.fetch('GET /api/connections/apps')).text()
  expect(listed).not.toContain(x.app.clientSecret)
})
