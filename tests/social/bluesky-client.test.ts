import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { startBluesky, type BlueskyCounterpart } from '../counterparts/bluesky.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, isSettled, newPublisher, type Publisher } from '../support/publisher.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'

// A server with a public address is a confidential client, whose key only the gateway has.

const origin = 'https://atrium.example.com'

let database: TestDatabase
let direct: DatabaseHandle
let bluesky: BlueskyCounterpart
let server: Server
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  direct = openDatabase(database.url, 1)
  bluesky = startBluesky()
  const env = { BLUESKY_RESOLVER_URL: bluesky.url, PLC_DIRECTORY_URL: bluesky.url, PUBLIC_URL: origin }
  server = await serveInProcess({ databaseUrl: database.url, env })
  bluesky.auth.reachable.set(origin, server.url)
  ada = await newPublisher(server.url)
})

afterAll(async () => {
  await server.stop()
  await bluesky.stop()
  await direct.close()
  await database.drop()
})

const begin = <Answer>(handle: string, status = 201) =>
  ada.call<Answer>('POST', '/api/integrations/bluesky/connect', { brandId: ada.brandId, handle }, status)

interface Connected {
  id: string
  health: string
  account: { id: string }
}

async function connect(name: string) {
  const handle = `${name}.example.com`
  const { did } = bluesky.account(handle)
  const { authorizeUrl } = await begin<{ authorizeUrl: string }>(handle)
  const back = new URL(bluesky.auth.consent(authorizeUrl, did))
  expect(back.origin).toBe(origin)
  const headers = { authorization: `Bearer ${ada.token}`, accept: 'text/html' }
  await fetch(`${server.url}${back.pathname}${back.search}`, { headers, redirect: 'manual' })
  const { items } = await ada.call<{ items: Connected[] }>('GET', '/api/accounts?limit=100')
  const connected = items.find(({ account }) => account.id === did)
  if (!connected) throw new Error('Nothing was connected')
  return { ...connected, did, target: { connectionId: connected.id } }
}

const publish = async (target: object, text: string) => {
  const fields = { provider: 'bluesky', text, status: 'scheduled', scheduledAt: inMs(200), target }
  return ada.until((await ada.post(fields)).id, isSettled, 30_000)
}

interface ClientDocument {
  client_id: string
  jwks: { keys: Record<string, string>[] }
}
const readDocument = async () => {
  const response = await fetch(`${server.url}/oauth/client-metadata.json`)
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^application\/json/),
  ])
  return (await response.json()) as ClientDocument
}

test('SOC-08 document of the client is public, and has the public half of its key alone', async () => {
  const document = await readDocument()
  expect(document).toMatchObject({
    client_id: `${origin}/oauth/client-metadata.json`,
    redirect_uris: [`${origin}/workspace/accounts/callback/bluesky`],
    token_endpoint_auth_method: 'private_key_jwt',
    dpop_bound_access_tokens: true,
  })
  expect(document.jwks.keys.map((key) => Object.keys(key).toSorted())).toEqual([
    ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
  ])
  const [row] = await direct.sql`SELECT sealed_key FROM gateway.social_client_keys`
  expect(String(row?.['sealed_key'])).not.toContain('"d"')
  expect((await readDocument()).jwks).toEqual(document.jwks)
})

test('SOC-08 GTW-04 account connects and its tokens are refreshed with the key of the client', async () => {
  const account = await connect('ada')
  const [session] = bluesky.auth.sessions.of(account.did)
  expect(session).toMatchObject({
    clientId: `${origin}/oauth/client-metadata.json`,
    keyId: (await readDocument()).jwks.keys[0]?.['kid'],
  })
  bluesky.auth.sessions.expire()
  expect(await publish(account.target, 'With a key')).toMatchObject({ status: 'published', failureMessage: null })
})

test('SOC-08 session goes on with the key that it began with after another one was added', async () => {
  const account = await connect('keyed')
  const { jwks } = await readDocument()
  await direct.sql`
    INSERT INTO gateway.social_client_keys (id, public_x, public_y, sealed_key)
    SELECT gen_random_uuid(), public_x, public_y, 'of another key' FROM gateway.social_client_keys`
  try {
    expect((await readDocument()).jwks.keys).toHaveLength(jwks.keys.length * 2)
    bluesky.auth.sessions.expire()
    expect(await publish(account.target, 'The same key')).toMatchObject({ status: 'published' })
  } finally {
    await direct.sql`DELETE FROM gateway.social_client_keys WHERE id <> ${jwks.keys[0]?.['kid'] ?? ''}`
  }
})

test('SOC-07 key that is missing disconnects nothing, since that says nothing about the account', async () => {
  const account = await connect('keyless')
  await direct.sql`UPDATE gateway.social_client_keys SET id = gen_random_uuid()`
  bluesky.auth.sessions.expire()
  expect(await publish(account.target, 'Without a key')).toMatchObject({
    status: 'failed',
    failureCode: 'provider_error',
  })
  expect(await ada.call<Connected>('GET', `/api/accounts/${account.id}`)).toMatchObject({ health: 'ok' })
  await direct.sql`DELETE FROM gateway.social_client_keys`
})

test('SOC-05 server that others can’t reach is told so before a redirect', async () => {
  bluesky.account('hidden.example.com')
  bluesky.auth.reachable.clear()
  const refused = await begin<{ code: string; detail: string }>('hidden.example.com', 409)
  bluesky.auth.reachable.set(origin, server.url)
  expect(refused).toMatchObject({ code: 'client_unreachable', detail: expect.stringContaining('public internet') })
})
