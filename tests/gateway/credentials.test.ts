import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { newId } from '#lib/ids.ts'
import { createLog } from '#lib/log.ts'
import { providerCredentials } from '../../src/gateway/schema.ts'
import { openWorld, type World } from '../support/world.ts'
import { openUpstream, type ScriptedUpstream } from './upstream.ts'

const secretKey = 'sk-very-secret-1234567890abcd'
const put = { label: 'main', secret: { apiKey: secretKey } }

let world: World
let upstream: ScriptedUpstream
const lines: string[] = []

beforeAll(async () => {
  upstream = openUpstream(() => Response.json({ object: 'list', data: [] }))
  world = await openWorld({ log: createLog('debug', false, (line) => void lines.push(line)) })
})
afterAll(async () => {
  await world.close()
  upstream.stop()
})

const stored = { provider: 'openai', level: 'organization', mode: 'live', kind: 'api_key', label: 'main' }

test('GTW-01 a credential is stored, listed, replaced and deleted without a response that has its secret', async () => {
  const { ada } = world
  const created = await ada.fetch('PUT /api/credentials/openai', put)
  expect(created.status).toBe(200)
  const answers = [await created.text()]
  expect(JSON.parse(answers[0] ?? '')).toMatchObject({
    ...stored,
    lastFour: 'abcd',
    status: 'active',
    health: 'unknown',
    baseUrl: 'https://api.openai.com/v1',
    rotatedAt: null,
  })
  answers.push(await (await ada.fetch('GET /api/credentials')).text())
  expect(answers[1]).toContain('"lastFour":"abcd"')
  const replaced = await ada.fetchJson<{ rotatedAt: string | null; lastFour: string }>('PUT /api/credentials/openai', {
    ...put,
    secret: { apiKey: `${secretKey}wxyz` },
  })
  expect(replaced).toMatchObject({ lastFour: 'wxyz', rotatedAt: expect.any(String) })
  expect((await ada.fetch('DELETE /api/credentials/openai')).status).toBe(204)
  const left = await ada.fetchJson<{ items: { provider: string }[] }>('GET /api/credentials')
  expect(left.items.map(({ provider }) => provider)).toEqual(['annex', 'house'])
  expect(answers.join()).not.toContain(secretKey)
  expect(lines.join()).not.toContain(secretKey)
})

test('GTW-01 the secret of a credential is sealed in the database and not in the audit log', async () => {
  await world.ada.fetchJson('PUT /api/credentials/openai', put)
  const rows = await world.database.db.execute(
    sql`SELECT to_jsonb(c)::text AS row FROM gateway.provider_credentials c
      UNION ALL SELECT to_jsonb(a)::text FROM platform.audit_log a`,
  )
  expect(rows.length).toBeGreaterThan(1)
  expect(JSON.stringify(rows)).not.toContain(secretKey)
})

test('GTW-01 platform credentials are refused for everyone but super admins', async () => {
  const input = { ...put, level: 'platform' }
  expect((await world.ada.fetch('PUT /api/credentials/openai', input)).status).toBe(403)
  const created = await world.root.fetchJson('PUT /api/credentials/openai', input)
  expect(created).toMatchObject({ level: 'platform' })
  const list = await world.ada.fetchJson<{ items: { level: string }[] }>('GET /api/credentials')
  expect(list.items.some(({ level }) => level === 'platform')).toBe(false)
  expect((await world.root.fetch('DELETE /api/credentials/openai?level=platform')).status).toBe(204)
})

test('GTW-01 a viewer can’t change credentials, and another organization doesn’t see them', async () => {
  expect((await world.vera.fetch('PUT /api/credentials/openai', put)).status).toBe(403)
  const theirs = await world.mallory.fetchJson<{ items: { provider: string }[] }>('GET /api/credentials')
  expect(theirs.items.map(({ provider }) => provider)).toEqual(['annex', 'house'])
})

test('GTW-03 a check reports and keeps whether the provider accepts the key', async () => {
  const { ada } = world
  await ada.fetchJson('PUT /api/credentials/openai', { ...put, baseUrl: upstream.url })
  expect(await ada.fetchJson('POST /api/credentials/openai/check', {})).toMatchObject({ healthy: true, error: null })
  expect(upstream.requests.at(-1)?.headers.get('authorization')).toBe(`Bearer ${secretKey}`)
  upstream.answer(() => Response.json({ error: { message: `Incorrect API key ${secretKey}` } }, { status: 401 }))
  const refused = await ada.fetchJson<{ error: string }>('POST /api/credentials/openai/check', {})
  expect(refused).toMatchObject({ healthy: false, error: 'openai rejected the key (401).' })
  const { items } = await ada.fetchJson<{ items: { provider: string }[] }>('GET /api/credentials')
  const kept = items.find(({ provider }) => provider === 'openai')
  expect(kept).toMatchObject({ health: 'unhealthy', lastError: 'openai rejected the key (401).' })
})

test('GTW-01 a base URL in a private network is refused where private networks are not allowed', async () => {
  const strict = await openWorld({ env: { ALLOW_PRIVATE_NETWORK: 'false' } })
  try {
    for (const baseUrl of ['http://127.0.0.1:9100/v1', 'http://169.254.169.254/v1', 'http://localhost:9100/v1']) {
      const response = await strict.ada.fetch('PUT /api/credentials/openai', { ...put, baseUrl })
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ errors: [{ path: 'baseUrl' }] })
    }
    const unknown = await strict.ada.fetch('PUT /api/credentials/house-model', put)
    expect(await unknown.json()).toMatchObject({ errors: [{ path: 'baseUrl' }] })
    // A name that pointed to a public address when it was saved.
    const id = newId()
    const sealedSecret = strict.provided.secrets.seal('{"apiKey":"sk-1"}', `gateway.provider_credentials:${id}`)
    await strict.database.db.insert(providerCredentials).values({
      id,
      sealedSecret,
      organizationId: strict.ada.things.organizations,
      provider: 'rebound',
      mode: 'live',
      label: 'main',
      lastFour: 'sk-1',
      baseUrl: upstream.url.replace('127.0.0.1', 'rebound.localhost'),
      createdBy: strict.ada.id,
    })
    const before = upstream.requests.length
    expect(await strict.ada.fetchJson('POST /api/credentials/rebound/check', {})).toMatchObject({
      healthy: false,
      error: 'rebound.localhost was not found on the public internet.',
    })
    expect(upstream.requests).toHaveLength(before)
  } finally {
    await strict.close()
  }
})
