import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { newId } from '#lib/ids.ts'
import { createLog } from '#lib/log.ts'
import { providerCredentials } from '../../src/gateway/schema.ts'
import { checkCredentials, finishRotations } from '../../src/gateway/credentials/jobs.ts'
import { resolveCredential } from '../../src/gateway/credentials/resolve.ts'
import { openWorld, type World } from '../support/world.ts'
import { openActions, press } from '../dashboard/raised/acting.ts'
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
  expect(await listed()).toBeUndefined()
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
  expect(list.items.find(({ level }) => level === 'platform')).toMatchObject({
    baseUrl: null,
    lastError: null,
    can: { update: false },
  })
  expect((await world.root.fetch('DELETE /api/credentials/openai?level=platform')).status).toBe(204)
})

test('GTW-01 a viewer can’t change credentials, and another organization doesn’t see them', async () => {
  expect((await world.vera.fetch('PUT /api/credentials/openai', put)).status).toBe(403)
  const theirs = await world.mallory.fetchJson<{ items: Listed[] }>('GET /api/credentials')
  expect(theirs.items.some(({ provider }) => provider === 'openai')).toBe(false)
})

test('GTW-03 a check reports and keeps whether the provider accepts the key', async () => {
  const { ada } = world
  await ada.fetchJson('PUT /api/credentials/openai', { ...put, baseUrl: upstream.url })
  expect(await ada.fetchJson('POST /api/credentials/openai/check', {})).toMatchObject({ healthy: true, error: null })
  expect(upstream.requests.at(-1)?.headers.get('authorization')).toBe(`Bearer ${secretKey}`)
  upstream.answer(() => Response.json({ error: { message: `Incorrect API key ${secretKey}` } }, { status: 401 }))
  const refused = await ada.fetchJson<{ error: string }>('POST /api/credentials/openai/check', {})
  expect(refused).toMatchObject({ healthy: false, error: 'openai rejected the key (401).' })
  expect(await listed()).toMatchObject({ health: 'unhealthy', lastError: 'openai rejected the key (401).' })
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

const chat = { model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] }
const completion = {
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o-mini',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'Hello',
      },
      finish_reason: 'stop',
    },
  ],
  usage: {
    prompt_tokens: 5,
    completion_tokens: 1,
    total_tokens: 6,
  },
}
const next = { secret: { apiKey: 'sk-the-next-key-9999' } }

/** Accepts only these keys. */
const accept = (...keys: string[]) =>
  upstream.answer((request) =>
    keys.includes(request.headers.get('authorization')?.replace('Bearer ', '') ?? '')
      ? Response.json(completion)
      : Response.json({ error: { message: 'Incorrect API key' } }, { status: 401 }),
  )

const jobCall = () => ({ ...world.provided, database: world.database, now: () => new Date(), input: {} })

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let left = 500; !(await holds()); left--) {
    if (left === 0) throw new Error('It did not happen within 10 s')
    await Bun.sleep(20)
  }
}

const lastKey = () => upstream.requests.at(-1)?.headers.get('authorization')?.replace('Bearer ', '')

type Listed = { provider: string; lastFour: string; status: string; rotation: { calls: number; health: string } | null }
const listed = async () =>
  (await world.ada.fetchJson<{ items: Listed[] }>('GET /api/credentials')).items.find(
    ({ provider }) => provider === 'openai',
  )

test('GTW-03 a new key that the provider rejects is refused, and the old one stays', async () => {
  const { ada } = world
  await ada.fetchJson('PUT /api/credentials/openai', { ...put, baseUrl: upstream.url })
  accept(secretKey)
  const refused = await ada.fetch('POST /api/credentials/openai/rotate', next)
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({
    errors: [{ path: 'secret.apiKey', message: 'openai rejected the key (401).' }],
  })
  expect(await listed()).toMatchObject({ lastFour: 'abcd', status: 'active', rotation: null })
})

test('GTW-03 a new key is used first; a call that the provider rejects with it succeeds with the old one', async () => {
  const { ada } = world
  accept(secretKey, next.secret.apiKey)
  expect(await ada.fetchJson('POST /api/credentials/openai/rotate', next)).toMatchObject({
    lastFour: 'abcd',
    status: 'rotating',
    rotation: {
      lastFour: '9999',
      calls: 0,
      neededCalls: 100,
    },
  })
  expect((await ada.fetch('POST /api/credentials/openai/rotate', next)).status).toBe(409)
  await ada.fetchJson('POST /api/ai/chat/completions', chat)
  expect(lastKey()).toBe(next.secret.apiKey)
  await until(async () => (await listed())?.rotation?.calls === 1)
  accept(secretKey)
  await ada.fetchJson('POST /api/ai/chat/completions', chat)
  expect(lastKey()).toBe(secretKey)
  await until(async () => (await listed())?.rotation?.health === 'unhealthy')
})

test('GTW-03 a rotation that is rolled back leaves the old key, and one that is finished the new one', async () => {
  const { ada } = world
  expect((await ada.fetch('DELETE /api/credentials/openai/rotation')).status).toBe(204)
  expect(await listed()).toMatchObject({ lastFour: 'abcd', rotation: null })
  accept(secretKey, next.secret.apiKey)
  await ada.fetchJson('POST /api/credentials/openai/rotate', next)
  expect(await ada.fetchJson('POST /api/credentials/openai/rotation/finish', {})).toMatchObject({
    lastFour: '9999',
    status: 'active',
    health: 'healthy',
    rotation: null,
  })
  await ada.fetchJson('POST /api/ai/chat/completions', chat)
  expect(lastKey()).toBe(next.secret.apiKey)
})

test('GTW-03 the 100th successful call, or the end of 24 hours, puts the new key into use', async () => {
  const { ada, database } = world
  const back = { secret: { apiKey: secretKey } }
  accept(secretKey, next.secret.apiKey)
  await ada.fetchJson('POST /api/credentials/openai/rotate', back)
  await database.sql`UPDATE gateway.provider_credentials SET proved_calls = 99 WHERE status = 'incoming' AND provider = 'openai'`
  await ada.fetchJson('POST /api/ai/chat/completions', chat)
  await until(async () => (await listed())?.lastFour === 'abcd')
  await ada.fetchJson('POST /api/credentials/openai/rotate', next)
  await database.sql`UPDATE gateway.provider_credentials SET rotation_ends_at = now() - interval '1 minute' WHERE status = 'incoming' AND provider = 'openai'`
  await finishRotations.run(jobCall())
  expect(await listed()).toMatchObject({ lastFour: '9999', status: 'active' })
})

test('GTW-03 the daily check raises an action for a key that no longer works, and resolves it afterwards', async () => {
  const open = async () => {
    const rows = await world.database.sql`
      SELECT 1 FROM platform.raised_actions WHERE resolved_at IS NULL AND title = 'The key of openai doesn’t work'`
    return rows.length === 1
  }
  accept()
  await checkCredentials.run(jobCall())
  expect(await open()).toBe(true)
  expect(await listed()).toMatchObject({ health: 'unhealthy' })
  const raised = await openActions(world, 'credential:')
  const action = raised.find(({ title }) => title === 'The key of openai doesn’t work')
  expect((await press(world.vera, action, 'Check now')).status).toBe(403)
  expect((await press(world.ada, action, 'Check now')).status).toBe(200)
  expect(await open()).toBe(true)
  accept(next.secret.apiKey)
  expect((await press(world.ada, action, 'Check now')).status).toBe(200)
  expect(await open()).toBe(false)
  accept()
  await checkCredentials.run(jobCall())
  accept(next.secret.apiKey)
  await checkCredentials.run(jobCall())
  expect(await open()).toBe(false)
})

test('GTW-03 the page shows the organization’s keys to viewers without actions, and nothing to others', async () => {
  const [ada, vera, mallory] = await Promise.all(
    [world.ada, world.vera, world.mallory].map(async (caller) =>
      (await caller.fetch('GET /gateway/credentials', undefined, { accept: 'text/html' })).text(),
    ),
  )
  expect(ada).toContain('9999')
  expect(ada).toContain('Check now: OpenAI')
  expect(vera).toContain('9999')
  expect(vera).not.toContain('Check now: OpenAI')
  expect(mallory).not.toContain('9999')
})

const smtp = {
  label: 'main',
  baseUrl: 'smtp://mail.example.com:587',
  secret: { username: 'mailer', password: 'a-password' },
}
const app = { label: 'main', secret: { clientId: 'client-1234', clientSecret: 'a-client-secret' } }

test('GTW-01 each kind of credential is stored with its own members and described without a secret', async () => {
  const { ada } = world
  const shown = [
    ['smtp', smtp, { family: 'email', kind: 'smtp', lastFour: 'iler', baseUrl: smtp.baseUrl, isCheckable: false }],
    ['instagram', app, { family: 'social', kind: 'oauth_client', lastFour: '1234' }],
    ['youtube', app, { family: 'video', kind: 'oauth_client' }],
    ['cloudflare_email', put, { family: 'email', kind: 'api_key', lastFour: 'abcd' }],
    ['stripe', { ...put, secret: { apiKey: secretKey, webhookSecret: 'whsec_12345' } }, { family: 'payments' }],
  ] as const
  for (const [provider, input, description] of shown) {
    const answer = await (await ada.fetch(`PUT /api/credentials/${provider}`, input)).text()
    expect(JSON.parse(answer)).toMatchObject({ provider, ...description })
    for (const secret of ['a-password', 'client-', secretKey, 'whsec']) expect(answer).not.toContain(secret)
  }
  const payer = { organizationId: ada.things.organizations, test: false }
  const call = { ...world.provided, db: world.database.db }
  expect(await resolveCredential(call, { ...payer, provider: 'smtp' })).toMatchObject({ secret: smtp.secret })
  expect(await resolveCredential(call, { ...payer, provider: 'instagram' })).toMatchObject({
    level: 'organization',
    secret: app.secret,
  })
  expect(await resolveCredential(call, { ...payer, provider: 'threads' })).toBeNull()
  expect(await resolveCredential(call, { ...payer, test: true, provider: 'instagram' })).toBeNull()
})

test('GTW-01 a secret of another kind is refused with the members that the provider requires', async () => {
  const errorsOf = async (provider: string, input: Record<string, unknown>) => {
    const response = await world.ada.fetch(`PUT /api/credentials/${provider}`, { label: 'main', ...input })
    expect(response.status).toBe(422)
    return ((await response.json()) as { errors: { path: string; message: string }[] }).errors
  }
  expect(await errorsOf('x', { secret: { apiKey: secretKey, clientId: 'c' } })).toEqual([
    { path: 'secret.clientSecret', message: 'Required for x.' },
    { path: 'secret.apiKey', message: 'A credential for x doesn’t have it.' },
  ])
  expect(await errorsOf('smtp', smtp.secret)).toMatchObject([{ path: 'secret' }, {}, {}])
  expect(await errorsOf('smtp', { secret: smtp.secret })).toMatchObject([{ path: 'baseUrl' }])
  expect(await errorsOf('smtp', { ...smtp, baseUrl: 'https://mail.example.com' })).toEqual([
    { path: 'baseUrl', message: 'Must begin with smtp:// or smtps://.' },
  ])
  expect(await errorsOf('openai', { secret: { apiKey: 'short' } })).toMatchObject([{ path: 'secret.apiKey' }])
})

test('GTW-01 user name and password of a mail server must be well-formed text', async () => {
  for (const member of ['username', 'password']) {
    const secret = { ...smtp.secret, [member]: 'mail\uD800er' }
    const body = JSON.stringify({ ...smtp, secret })
    const response = await world.ada.fetch('PUT /api/credentials/smtp', new Blob([body], { type: 'application/json' }))
    expect([response.status, await response.json()]).toMatchObject([422, { errors: [{ path: `secret.${member}` }] }])
  }
})

test('GTW-03 a credential of a kind without a check is rotated unchecked, and can’t be checked', async () => {
  const { ada } = world
  const checked = await ada.fetch('POST /api/credentials/smtp/check', {})
  expect([checked.status, await checked.json()]).toMatchObject([409, { code: 'check_unavailable' }])
  const secret = { clientId: 'client-1234', clientSecret: 'the-first-secret' }
  await ada.fetchJson('PUT /api/credentials/threads', { level: 'organization', label: 'main', secret })
  expect(
    await ada.fetchJson('POST /api/credentials/threads/rotate', {
      secret: { clientId: 'client-5678', clientSecret: 'the-next-secret' },
    }),
  ).toMatchObject({ lastFour: '1234', rotation: { lastFour: '5678', health: 'unknown' } })
  const call = { ...world.provided, db: world.database.db }
  expect(
    await resolveCredential(call, { organizationId: ada.things.organizations, test: false, provider: 'threads' }),
  ).toMatchObject({
    secret: { clientId: 'client-5678' },
    old: { secret: { clientId: 'client-1234' } },
  })
  await checkCredentials.run(jobCall())
  const { items } = await ada.fetchJson<{ items: (Listed & { health: string })[] }>('GET /api/credentials')
  expect(items.find(({ provider }) => provider === 'smtp')).toMatchObject({ health: 'unknown' })
})

test('GTW-01 credentials of other families are no providers of models', async () => {
  const { data } = await world.ada.fetchJson<{ data: { id: string }[] }>('GET /api/ai/models')
  expect(data.some(({ id }) => /^(smtp|stripe|instagram)\//.test(id))).toBe(false)
  const refused = await world.ada.fetch('POST /api/ai/chat/completions', { ...chat, model: 'stripe/gpt-4o-mini' })
  expect(refused.status).toBeGreaterThanOrEqual(400)
  expect(await refused.text()).not.toContain(secretKey)
})

test('GTW-01 the page has a form for each kind of credential', async () => {
  const html = await (await world.ada.fetch('GET /gateway/credentials', undefined, { accept: 'text/html' })).text()
  for (const name of ['apiKey', 'webhookSecret', 'username', 'password', 'clientId', 'clientSecret'])
    expect(html).toContain(`name="secret.${name}"`)
})

test('GTW-03 credentials are renamed, and all are checked in one step', async () => {
  const { ada } = world
  await ada.fetchJson('PUT /api/credentials/openai', { ...put, baseUrl: upstream.url })
  await ada.fetchJson('PUT /api/credentials/mistral', { ...put, baseUrl: upstream.url })
  const before = await listed()
  expect(await ada.fetchJson('PATCH /api/credentials/openai', { label: 'Writing' })).toMatchObject({ label: 'Writing' })
  expect(await listed()).toEqual({ ...before, label: 'Writing' } as Listed)
  upstream.answer(
    () => Response.json({ object: 'list', data: [] }),
    () => new Response(null, { status: 401 }),
  )
  const own = (await ada.fetchJson<{ items: { isCheckable: boolean; level: string }[] }>('GET /api/credentials')).items
  const checkable = own.filter((one) => one.isCheckable && one.level === 'organization').length
  const { checked, failing } = await ada.fetchJson<{ checked: number; failing: number }>('POST /api/credential-checks')
  expect(checked).toBe(checkable)
  expect(failing).toBeGreaterThanOrEqual(1)
  expect((await world.vera.fetch('POST /api/credential-checks')).status).toBe(403)
  for (const name of ['openai', 'mistral']) await ada.fetch(`DELETE /api/credentials/${name}`)
})
