import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { createLog } from '#lib/log.ts'
import { bearer, openWorld, unsavedContent, type Caller, type KeyCaller, type World } from '../support/world.ts'
import { callerOf } from '../support/world/callers.ts'

let world: World
const logged: string[] = []

beforeAll(async () => {
  const log = createLog('debug', false, (line) => void logged.push(line))
  world = await openWorld({ log })
})
afterAll(() => world.close())

interface Key {
  id: string
  key?: string
  scopes: string[]
  bindings: { kind: string; id: string }[]
  expiresAt: string | null
  overlapEndsAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
  [field: string]: unknown
}

const draft = { name: 'CI', service: 'platform-socialize', scopes: ['posts.read', 'posts.write'] }
const make = (options: Record<string, unknown> = {}, by: Caller = world.ada) =>
  by.fetchJson<Key & { key: string }>('POST /api/api-keys', { ...draft, ...options }, 201)
const refusal = async (answer: Promise<Response>) => {
  const response = await answer
  return {
    status: response.status,
    ...((await response.json()) as { code?: string; detail?: string; permission?: string; errors?: unknown[] }),
  }
}
const posts = (key: string, headers: Record<string, string> = {}) =>
  world.stranger.fetch('GET /api/posts', undefined, { ...bearer(key), ...headers })
const find = (id: string) => world.ada.fetchJson<Key>(`GET /api/api-keys/${id}`)
const later = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString()
/** Moves a key's times into the past. */
const age = (id: string, by: string) =>
  world.database.sql`UPDATE identity.api_keys SET created_at = created_at - ${by}::interval,
    expires_at = expires_at - ${by}::interval, overlap_ends_at = overlap_ends_at - ${by}::interval,
    last_used_at = last_used_at - ${by}::interval WHERE id = ${id}`

test('IDN-30 key is shown in full once and stored so that it can’t be recovered', async () => {
  const made = await make()
  expect(made).toMatchObject({
    name: 'CI',
    service: 'platform-socialize',
    mode: 'live',
    scopes: ['posts.read', 'posts.write'],
    permissions: ['posts:read', 'posts:write'],
    bindings: [],
    createdBy: world.ada.id,
    expiresAt: null,
    lastUsedAt: null,
  })
  expect(made.key).toMatch(/^atr_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/)
  expect(made['lastFour']).toBe(made.key.slice(-4))
  const known = await world.ada.fetch('GET /api/api-keys')
  const text = await known.text()
  expect(text).toContain(made.id)
  const secret = made.key.slice(22)
  expect(text).not.toContain(secret.slice(0, 20))
  const rows = await world.database.sql`SELECT row_to_json(k)::text AS row FROM identity.api_keys k
    UNION ALL SELECT row_to_json(a)::text FROM platform.audit_log a`
  expect(rows.map((row) => String(row['row'])).join()).not.toContain(secret.slice(0, 20))
})

test('IDN-30 checksum of a key is the CRC-32 of the preceding characters, encoded as six letters', async () => {
  const { key } = await make()
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const number = key
    .slice(-6)
    .split('')
    .reduce((sum, mail) => sum * 62 + alphabet.indexOf(mail), 0)
  expect(number).toBe(Bun.hash.crc32(key.slice(0, -6)))
})

test('IDN-05 IDN-30 /validate and /api/api-keys/validate return the same description of a key', async () => {
  const { key, id } = await make({ expiresInDays: 30, bindings: [{ kind: 'brand', id: world.ada.things.brands }] })
  const reported = await world.stranger.fetch('GET /validate', undefined, bearer(key))
  const answer = (await reported.json()) as { permissions: string[]; expiresAt: string }
  expect(answer).toMatchObject({
    valid: true,
    tokenType: 'api_key',
    context: 'organization',
    principal: { id: world.ada.id, launcherEligible: false },
    organization: { id: world.ada.things.organizations, role: 'viewer' },
    permissions: [`${world.serviceId}.posts:read`, `${world.serviceId}.posts:write`],
    apiKey: { id, mode: 'live', bindings: [{ kind: 'brand', id: world.ada.things.brands }] },
    sessionId: null,
  })
  expect(Date.parse(answer.expiresAt)).toBeWithin(Date.parse(later(30)) - 60_000, Date.parse(later(30)) + 1000)
  const shown = await world.stranger.fetchJson<object>('POST /api/api-keys/validate', { key })
  expect(shown).toEqual(answer)
  const byBearer = await world.stranger.fetch('POST /api/api-keys/validate', {}, bearer(key))
  expect([byBearer.status, await byBearer.json()]).toEqual([200, answer])
  expect((await world.stranger.fetch('POST /api/api-keys/validate', {})).status).toBe(422)
  expect((await world.stranger.fetch('POST /api/api-keys/validate', {}, bearer('junk'))).status).toBe(401)
})

test('IDN-30 key creates a post within its service and scopes, and the log names the key and the person', async () => {
  const { key, id } = await make()
  const post = { brandId: world.ada.things.brands, provider: 'sandbox', text: 'From a program' }
  const made = await world.stranger.fetch('POST /api/posts', post, bearer(key))
  expect(made.status).toBe(201)
  const { id: postId } = (await made.json()) as { id: string }
  const { items } = await world.ada.fetchJson<{ items: unknown[] }>(`GET /api/audit?objectId=${postId}`)
  expect(items[0]).toMatchObject({ principal: { id: world.ada.id }, credential: { kind: 'api_key', id } })
  expect((await world.stranger.fetch('GET /api/accounts', undefined, bearer(key))).status).toBe(403)
})

test('IDN-30 key with a wrong checksum is rejected without a database query', async () => {
  const { key } = await make()
  const at = key.length - 20
  const typo = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1)
  await world.database.sql`ALTER TABLE identity.api_keys RENAME TO api_keys_hidden`
  const mistyped = await refusal(posts(typo))
  const whole = await posts(key)
  await world.database.sql`ALTER TABLE identity.api_keys_hidden RENAME TO api_keys`
  expect(mistyped).toMatchObject({ status: 401, code: 'invalid_token', detail: expect.stringContaining('mistyped') })
  expect(whole.status).toBeGreaterThanOrEqual(500)
})

/** A key with another secret under the same id, with a checksum that fits. */
function forged(key: string, id = key.slice(9, 21)): string {
  const body = `atr_live_${id}_${'A'.repeat(43)}`
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const crc = Bun.hash.crc32(body)
  const mails = [5, 4, 3, 2, 1, 0].map((power) => alphabet[Math.floor(crc / 62 ** power) % 62])
  return body + mails.join('')
}

test('IDN-30 wrong secret, unknown id and revoked id get the same response', async () => {
  const { key, id } = await make()
  const gone = await make()
  await world.ada.fetchJson(`DELETE /api/api-keys/${gone.id}`)
  const guesses = [forged(key), forged(key, 'abcdefghijkl'), forged(gone.key)]
  const answers = await Promise.all(guesses.map((guess) => refusal(posts(guess))))
  const reported = new Set(answers.map(({ status, code, detail }) => `${status} ${code} ${detail}`))
  expect([...reported]).toEqual(['401 invalid_token This API key doesn’t exist.'])
  expect((await find(id)).lastUsedAt).toBeNull()
})

test('IDN-30 revoked and expired keys are rejected with the reason', async () => {
  const [revoked, expired] = [await make(), await make({ expiresInDays: 1 })]
  expect((await posts(revoked.key)).status).toBe(200)
  const reported = await world.ada.fetchJson<Key>(`DELETE /api/api-keys/${revoked.id}`)
  expect(reported.revokedAt).toBeString()
  expect(await refusal(posts(revoked.key))).toMatchObject({ status: 401, detail: 'This API key was revoked.' })
  expect(await world.ada.fetchJson<Key>(`DELETE /api/api-keys/${revoked.id}`)).toMatchObject({
    revokedAt: reported.revokedAt,
  })
  await age(expired.id, '25 hours')
  expect(await refusal(posts(expired.key))).toMatchObject({ status: 401, detail: expect.stringContaining('expired') })
})

test('IDN-30 rotation returns a new key, and the old one works for the overlap but never past its expiry', async () => {
  const old = await make({ expiresInDays: 2, bindings: [{ kind: 'brand', id: world.ada.things.brands }] })
  expect((await posts(old.key)).status).toBe(200)
  const made = await world.ada.fetchJson<Key & { key: string }>(
    `POST /api/api-keys/${old.id}/rotate`,
    { overlapHours: 168 },
    201,
  )
  expect(made).toMatchObject({ rotatedFrom: old.id, scopes: old.scopes, bindings: old.bindings, name: 'CI' })
  expect((await find(old.id)).overlapEndsAt).toBe(old.expiresAt)
  expect((await posts(old.key)).status).toBe(200)
  expect((await posts(made.key)).status).toBe(200)
  expect(Date.parse(made.expiresAt ?? '')).toBeWithin(Date.parse(later(2)) - 60_000, Date.parse(later(2)) + 1000)
  const again = await refusal(world.ada.fetch(`POST /api/api-keys/${old.id}/rotate`, {}))
  expect(again).toMatchObject({ status: 409, code: 'api_key_inactive' })
  const tooLong = await refusal(world.ada.fetch(`POST /api/api-keys/${made.id}/rotate`, { overlapHours: 169 }))
  expect(tooLong.status).toBe(422)
  await world.ada.fetchJson(`POST /api/api-keys/${made.id}/rotate`, {}, 201)
  expect((await posts(made.key)).status).toBe(401)
})

test('IDN-30 key includes the names of its service, owner and resources, its status, and what the caller can do', async () => {
  const bindings = [{ kind: 'brand', id: world.ada.things.brands }]
  const made = await make({ bindings, expiresInDays: 3 })
  const found = await find(made.id)
  expect(found).toMatchObject({
    serviceName: 'Social',
    createdByName: 'Ada',
    agentName: null,
    bindings: [{ ...bindings[0], name: 'Acme Coffee' }],
    status: 'expiring',
    can: { rotate: true, revoke: true },
  })
  const keeper = await world.ada.createKey({ scopes: ['api_keys.write', 'posts.read'] })
  expect(await keeper.fetchJson<Key>(`GET /api/api-keys/${made.id}`)).toMatchObject({
    can: { rotate: false, revoke: true },
  })
  const options = await keeper.fetchJson<{ agents: unknown; services: unknown[]; scopes: { scope: string }[] }>(
    'GET /api/api-keys/options',
  )
  expect(options.agents).toBeNull()
  expect(options.services).toEqual([{ slug: 'platform-socialize', name: 'Social' }])
  expect(options.scopes.map(({ scope }) => scope)).toEqual(['api_keys.write', 'posts.read'])
  await world.ada.fetchJson(`POST /api/api-keys/${made.id}/rotate`, { overlapHours: 1 }, 201)
  expect(await find(made.id)).toMatchObject({ status: 'replaced', can: { rotate: false, revoke: true } })
  const row = await world.ada.fetch(`DELETE /api/api-keys/${made.id}`, undefined, { 'hx-request': 'true' })
  const html = await row.text()
  expect([row.status, row.headers.get('hx-redirect')]).toEqual([200, null])
  expect(html).toStartWith(`<tr id="key-${made.id}" data-ended`)
  expect(html).toContain('Revoked')
  expect(await find(made.id)).toMatchObject({ status: 'revoked', can: { rotate: false, revoke: false } })
})

test('IDN-30 one of two concurrent rotations of a key is rejected', async () => {
  const { id } = await make()
  const rotate = () => world.ada.fetch(`POST /api/api-keys/${id}/rotate`, { overlapHours: 1 })
  const statuses = (await Promise.all([rotate(), rotate(), rotate()])).map(({ status }) => String(status))
  expect(statuses.toSorted()).toEqual(['201', '409', '409'])
})

test('IDN-30 last use of a key is written at most once a minute', async () => {
  const { key, id } = await make()
  const validate = () => world.stranger.fetchJson('POST /api/api-keys/validate', { key })
  await validate()
  const first = (await find(id)).lastUsedAt
  expect(first).toBeString()
  await validate()
  expect((await find(id)).lastUsedAt).toBe(first)
  await age(id, '61 seconds')
  await validate()
  expect(Date.parse((await find(id)).lastUsedAt ?? '')).toBeGreaterThan(Date.parse(first ?? ''))
})

test('IDN-31 key accepts only scopes in the catalog, and the error names an unknown one', async () => {
  for (const scopes of [['posts.read', 'posts.fly'], ['brands.write'], ['posts:read'], ['payments.read']]) {
    const answer = await refusal(world.ada.fetch('POST /api/api-keys', { ...draft, scopes }))
    expect(answer).toMatchObject({ status: 422, errors: [{ path: `scopes.${scopes.length - 1}` }] })
  }
  for (const options of [{ scopes: [] }, { service: 'platform-identity' }, { service: 'none' }, { name: ' ' }])
    expect((await world.ada.fetch('POST /api/api-keys', { ...draft, ...options })).status).toBe(422)
  const past = await refusal(world.ada.fetch('POST /api/api-keys', { ...draft, expiresAt: later(-1) }))
  expect(past).toMatchObject({ status: 422, errors: [{ path: 'expiresAt' }] })
})

test('IDN-31 SOC-40 scope catalogs have 9, 8, 14 and 20 scopes', async () => {
  const counts = ['platform-socialize', 'platform-gateway', 'platform-dashboard-api', 'platform-pay'].map(
    async (slug) => {
      const { id } = await world.ada.fetchJson<{ id: string }>(`GET /api/services/by-slug/${slug}`)
      return (await world.ada.fetchJson<{ items: unknown[] }>(`GET /api/services/${id}/scopes`)).items.length
    },
  )
  expect(await Promise.all(counts)).toEqual([9, 8, 14, 20])
})

test('IDN-31 key creation is rejected for scopes that the creator lacks and without the permission to manage keys', async () => {
  const erin = await world.join(world.ada, { name: 'Erin', role: 'editor' })
  for (const caller of [erin, world.vera, world.nora, world.service]) {
    const made = await refusal(caller.fetch('POST /api/api-keys', { ...draft, scopes: ['posts.read'] }))
    expect(made).toMatchObject({ status: 403, code: 'permission_missing', permission: 'api_keys:write' })
    expect((await caller.fetch('GET /api/api-keys')).status).toBe(403)
    expect((await caller.fetch(`GET /api/api-keys/${world.ada.things.keys}`)).status).toBe(403)
    expect((await caller.fetch(`DELETE /api/api-keys/${world.ada.things.keys}`)).status).toBe(403)
    expect((await caller.fetch(`POST /api/api-keys/${world.ada.things.keys}/rotate`, {})).status).toBe(403)
  }
  // No role includes permissions for services, so people can't grant them.
  const gateway = { ...draft, service: 'platform-gateway', scopes: ['service.invoke'] }
  const refused = await refusal(world.ada.fetch('POST /api/api-keys', gateway))
  expect(refused).toMatchObject({ status: 403, permission: 'service:invoke' })
  const answer = await refusal(erin.fetch('POST /api/api-keys', { ...gateway, scopes: ['usage.read'] }))
  expect(answer).toMatchObject({ status: 403, permission: 'role:admin' })
})

test('IDN-30 key fields that name another owner, organization or secret are rejected', async () => {
  const { organizations, members } = world.mallory.things
  const of = { organizationId: organizations, createdBy: members, id: members, hash: 'x', expires_at: later(9) }
  const smuggled = { ...of, permissions: ['brands:write'], key: 'atr_live_mine' }
  const refused = await refusal(world.ada.fetch('POST /api/api-keys', { ...draft, ...smuggled }))
  expect(refused).toMatchObject({ status: 422, errors: Object.keys(smuggled).map((path) => ({ path })) })
  const made = await make()
  expect(made).toMatchObject({ createdBy: world.ada.id, mode: 'live', permissions: ['posts:read', 'posts:write'] })
  const { items } = await world.mallory.fetchJson<{ items: Key[] }>('GET /api/api-keys')
  expect(items.map(({ id }) => id)).not.toContain(made.id)
})

test('PLT-23 key of another organization gets 404 from every operation and reads no data of this organization', async () => {
  const { keys } = world.mallory.things
  for (const route of [`GET /api/api-keys/${keys}`, `DELETE /api/api-keys/${keys}`])
    expect((await world.ada.fetch(route)).status).toBe(404)
  expect((await world.ada.fetch(`POST /api/api-keys/${keys}/rotate`, {})).status).toBe(404)
  const theirs = await world.mallory.createKey({ scopes: ['posts.read'] })
  expect((await theirs.fetch(`GET /api/posts/${world.ada.things.posts}`)).status).toBe(404)
  expect(await (await theirs.fetch('GET /api/posts')).text()).not.toContain('Acme')
})

test('IDN-30 API key can create, rotate and revoke keys of its service within its own scopes', async () => {
  const scopes = ['api_keys.write', 'posts.read']
  const keeper = await world.ada.createKey({ scopes, expiresInDays: 10 })
  const bound = [{ kind: 'brand', id: world.ada.things.brands }]
  const child = await make({ scopes: ['posts.read'], expiresInDays: 9, bindings: bound }, keeper)
  expect(child.createdBy).toBe(world.ada.id)
  const strong = await make({ scopes: ['posts.write'], expiresInDays: 9 })
  const beyond: [string, object, object][] = [
    ['POST /api/api-keys', { ...draft, expiresInDays: 9 }, { code: 'permission_missing', permission: 'posts:write' }],
    [`POST /api/api-keys/${strong.id}/rotate`, {}, { code: 'permission_missing', permission: 'posts:write' }],
    ['POST /api/api-keys', { ...draft, scopes: ['posts.read'] }, { code: 'exceeds_own_key' }],
    ['POST /api/api-keys', { ...draft, scopes: ['posts.read'], expiresInDays: 11 }, { code: 'exceeds_own_key' }],
    [
      'POST /api/api-keys',
      { ...draft, service: 'platform-dashboard-api', scopes: ['apps.read'] },
      { code: 'permission_missing', permission: 'api_keys:write' },
    ],
    [
      'POST /api/api-keys',
      { ...draft, service: 'platform-gateway', scopes: ['usage.read'] },
      { code: 'permission_missing', permission: 'role:admin' },
    ],
  ]
  for (const [route, body, problem] of beyond)
    expect(await refusal(keeper.fetch(route, body)), JSON.stringify(body)).toMatchObject({ status: 403, ...problem })
  await world.stranger.fetchJson('POST /api/api-keys/validate', { key: strong.key })
  expect((await keeper.fetch(`DELETE /api/api-keys/${strong.id}`)).status).toBe(200)
})

test('IDN-30 key with resource bindings lists and creates only keys with the same bindings', async () => {
  const { brands } = world.ada.things
  const { id: other } = await world.ada.fetchJson<{ id: string }>('POST /api/brands', { name: 'Other' }, 201)
  const toBrand = (id: string) => ({ scopes: ['posts.read'], bindings: [{ kind: 'brand', id }] })
  const keeper = await world.ada.createKey({ ...toBrand(brands), scopes: ['api_keys.write', 'posts.read'] })
  const [mine, theirs, free] = [await make(toBrand(brands)), await make(toBrand(other)), await make()]
  const seen = await keeper.fetchJson<{ items: Key[] }>('GET /api/api-keys?limit=100')
  const ids = seen.items.map(({ id }) => id)
  expect(ids).toContain(mine.id)
  expect(ids).not.toContain(theirs.id)
  expect(ids).not.toContain(free.id)
  for (const { id } of [theirs, free]) expect((await keeper.fetch(`DELETE /api/api-keys/${id}`)).status).toBe(404)
  const wide = await refusal(keeper.fetch('POST /api/api-keys', { ...draft, scopes: ['posts.read'] }))
  expect(wide).toMatchObject({ status: 403, code: 'exceeds_own_key' })
  expect((await keeper.fetch('POST /api/api-keys', { ...draft, ...toBrand(other) })).status).toBe(403)
  await make(toBrand(brands), keeper)
})

/** Two brands of Ada's with a post each, and a key bound to the first. */
async function twoBrands(): Promise<{ key: KeyCaller; own: string; other: string; post: string; bound: string }> {
  const bound = world.ada.things.brands
  const { id: other } = await world.ada.fetchJson<{ id: string }>('POST /api/brands', { name: 'Second' }, 201)
  const write = (brandId: string) =>
    world.ada.fetchJson<{ id: string }>('POST /api/posts', { brandId, provider: 'sandbox', text: 'Here' }, 201)
  const [own, post] = [await write(bound), await write(other)]
  const scopes = ['posts.read', 'posts.write', 'accounts.read', 'accounts.write']
  const key = await world.ada.createKey({ scopes, bindings: [{ kind: 'brand', id: bound }] })
  return { key, own: own.id, other, post: post.id, bound }
}

test('IDN-30 SOC-40 key bound to a brand can’t reach another brand of the organization', async () => {
  const { key, own, other, post, bound } = await twoBrands()
  const idsAt = async (route: string) =>
    (await key.fetchJson<{ items: { id: string }[] }>(route)).items.map(({ id }) => id)
  expect(await idsAt('GET /api/brands')).toEqual([bound])
  const listed = await idsAt('GET /api/posts?limit=100')
  expect(listed).toContain(own)
  expect(listed).not.toContain(post)
  expect((await key.fetch(`GET /api/posts/${own}`)).status).toBe(200)
  expect(await (await key.fetch('GET /api/integrations')).text()).not.toContain(other)
  const refused = [
    key.fetch(`GET /api/brands/${other}`),
    key.fetch(`GET /api/posts?brandId=${other}`),
    key.fetch(`GET /api/posts/${post}`),
    key.fetch(`PUT /api/posts/${post}`, { text: 'Mine' }),
    key.fetch(`DELETE /api/posts/${post}`),
    key.fetch(`POST /api/posts/${post}/duplicate`, {}),
    key.fetch(`POST /api/posts/${post}/publish-now`, {}),
    key.fetch('POST /api/posts', { brandId: other, provider: 'sandbox', text: 'Mine' }),
    key.fetch(`GET /api/accounts?brandId=${other}`),
    key.fetch('POST /api/integrations/sandbox/connect', { brandId: other, handle: 'mine' }),
  ]
  for (const answer of await Promise.all(refused)) expect(answer.status, answer.url).toBe(404)
  const unbound = await world.ada.createKey({ scopes: ['posts.read'] })
  expect((await unbound.fetch(`GET /api/posts/${post}`)).status).toBe(200)
})

test('PLT-23 key can’t be bound to a resource of another organization or to an unknown one', async () => {
  for (const id of [world.mallory.things.brands, crypto.randomUUID()]) {
    const answer = await world.ada.fetch('POST /api/api-keys', { ...draft, bindings: [{ kind: 'brand', id }] })
    expect(answer.status).toBe(404)
  }
  const wrong = { service: 'platform-dashboard-api', scopes: ['apps.read'] }
  const bindings = [{ kind: 'brand', id: world.ada.things.brands }]
  expect((await world.ada.fetch('POST /api/api-keys', { ...draft, ...wrong, bindings })).status).toBe(404)
})

test('IDN-05 key loses permissions with its creator’s role, stops when they leave, and works again after an admin rotates it', async () => {
  const gina = await world.join(world.ada, { name: 'Gina', role: 'admin' })
  const members = `/api/organizations/${world.ada.things.organizations}/members/${gina.id}`
  const key = await gina.createKey({ scopes: ['posts.read', 'posts.write'] })
  const post = { brandId: world.ada.things.brands, provider: 'sandbox', text: 'From Gina’s key' }
  expect((await key.fetch('POST /api/posts', post)).status).toBe(201)
  await world.ada.fetchJson(`PATCH ${members}`, { role: 'viewer' })
  expect(await refusal(key.fetch('POST /api/posts', post))).toMatchObject({ status: 403, permission: 'posts:write' })
  expect((await key.fetch('GET /api/posts')).status).toBe(200)
  await world.ada.fetch(`DELETE ${members}`)
  expect(await refusal(key.fetch('GET /api/posts'))).toMatchObject({
    status: 401,
    detail: expect.stringContaining('left'),
  })
  const { key: text } = await world.ada.fetchJson<{ key: string }>(
    `POST /api/api-keys/${key.id}/rotate`,
    { overlapHours: 24 },
    201,
  )
  expect((await world.stranger.fetch('POST /api/posts', post, bearer(text))).status).toBe(201)
  expect((await key.fetch('GET /api/posts')).status).toBe(401)
})

test('IDN-30 key is rejected by operations for people: profile, contexts, sessions, members, audit log, pages', async () => {
  const { organizations } = world.ada.things
  for (const route of [
    'GET /api/auth/me',
    'GET /api/organizations',
    `GET /api/organizations/${organizations}/members`,
    'POST /api/auth/context',
    'POST /api/auth/logout',
    'PUT /api/auth/me',
  ]) {
    const answer = await refusal(world.key.fetch(route, route.startsWith('GET') ? undefined : {}))
    expect(answer, route).toMatchObject({ status: 403, code: 'session_required' })
  }
  expect((await world.key.fetch('GET /api/audit')).status).toBe(403)
  for (const path of ['/workspace/posts', '/settings/profile']) {
    const page = await world.key.fetch(`GET ${path}`, undefined, { accept: 'text/html' })
    expect(page.status, path).toBe(403)
    expect(await page.text()).toContain('Only a signed-in user')
  }
  const login = await world.key.fetch('GET /login', undefined, { accept: 'text/html' })
  expect(login.status).toBe(200)
})

test('IDN-30 key is accepted only in the Authorization header and takes precedence over a cookie', async () => {
  const { text } = world.key
  const { cookie } = await world.ada.signIn()
  const elsewhere: [string, Record<string, string>][] = [
    [`?key=${text}`, {}],
    [`?api_key=${text}&access_token=${text}`, {}],
    ['', { 'x-api-key': text }],
    ['', { authorization: text }],
    ['', { authorization: `Basic ${btoa(`${text}:`)}` }],
    ['', { authorization: `Bearer ${text}, Bearer ${text}` }],
    ['', { authorization: `Bearer ${text} x` }],
    ['', { cookie: `session=${text}` }],
    ['', { 'x-forwarded-authorization': `Bearer ${text}` }],
  ]
  for (const [query, headers] of elsewhere)
    expect((await world.stranger.fetch(`GET /api/posts${query}`, undefined, headers)).status, query).toBe(401)
  const both = await world.stranger.fetch('GET /api/auth/me', undefined, { cookie, ...bearer(text) })
  expect(both.status).toBe(403)
  const posted = await world.stranger.fetch(
    'PUT /api/auth/me',
    { name: 'Ada' },
    { cookie, 'sec-fetch-site': 'same-origin' },
  )
  expect(posted.status).toBe(200)
})

test('IDN-36 test key publishes to the sandbox network only and can’t create a live key', async () => {
  const scopes = ['posts.read', 'posts.write', 'accounts.write', 'api_keys.write']
  const tester = await world.ada.createKey({ scopes, mode: 'test' })
  expect(tester.text).toMatch(/^atr_test_/)
  const { brands: brandId } = world.ada.things
  const sandbox = { brandId, provider: 'sandbox', text: 'A try' }
  const tried = await tester.fetchJson<{ id: string }>('POST /api/posts', sandbox, 201)
  expect((await tester.fetch(`PUT /api/posts/${tried.id}`, { text: 'Another try' })).status).toBe(200)
  const real = await world.ada.fetchJson<{ id: string }>('POST /api/posts', { ...sandbox, provider: 'mastodon' }, 201)
  const refused: [string, object?][] = [
    ['POST /api/posts', { ...sandbox, provider: 'mastodon' }],
    ['POST /api/posts', { brandId, text: 'Both', targets: [{ provider: 'sandbox' }, { provider: 'bluesky' }] }],
    [`PUT /api/posts/${real.id}`, { text: 'Changed' }],
    [`DELETE /api/posts/${real.id}`],
    [`POST /api/posts/${real.id}/publish-now`, {}],
    [`POST /api/posts/${real.id}/retry`, {}],
    [`POST /api/posts/${real.id}/detach`, {}],
    [`POST /api/posts/${real.id}/duplicate`, {}],
    [`DELETE /api/posts/${real.id}/publication`],
    ['POST /api/integrations/bluesky/connect', { brandId, handle: 'a.bsky.social', appPassword: 'x' }],
    ['POST /api/integrations/mastodon/connect', { brandId, instance: 'mastodon.social' }],
    ['POST /api/publishing/pause', {}],
    ['POST /api/publishing/pause', { brandId }],
    ['POST /api/publishing/resume', { brandId }],
    ['POST /api/publishing/resume', {}],
  ]
  for (const [route, body] of refused)
    expect(await refusal(tester.fetch(route, body)), route).toMatchObject({ status: 403, code: 'test_key_not_allowed' })
  const live = await make({ scopes: ['posts.write'] })
  const own = { ...draft, scopes: ['posts.read'] }
  expect(await refusal(tester.fetch('POST /api/api-keys', own))).toMatchObject({ status: 403, code: 'exceeds_own_key' })
  expect((await tester.fetch('POST /api/api-keys', { ...own, mode: 'test' })).status).toBe(201)
  for (const act of [`POST /api/api-keys/${live.id}/rotate`, `DELETE /api/api-keys/${live.id}`])
    expect(await refusal(tester.fetch(act, {})), act).toMatchObject({ status: 403, code: 'exceeds_own_key' })
})

test('IDN-36 test key reads only sandbox posts and test keys', async () => {
  const tester = await world.ada.createKey({ scopes: ['posts.read', 'accounts.read', 'api_keys.write'], mode: 'test' })
  const { brands: brandId, accounts } = world.ada.things
  const post = { brandId, text: 'Read me' }
  const real = await world.ada.fetchJson<{ id: string }>('POST /api/posts', { ...post, provider: 'mastodon' }, 201)
  const tried = await world.ada.fetchJson<{ id: string }>('POST /api/posts', { ...post, provider: 'sandbox' }, 201)
  const account = newId()
  await world.database.sql`
    INSERT INTO social.connections (id, brand_id, provider, external_id, owner_id, name, sealed_tokens)
    SELECT ${account}, brand_id, 'mastodon', ${account}, owner_id, 'Real', sealed_tokens
    FROM social.connections WHERE id = ${accounts}`
  const ids = async (route: string) =>
    (await tester.fetchJson<{ items: { id: string }[] }>(`GET ${route}`)).items.map(({ id }) => id)
  for (const filter of ['', `&brandId=${brandId}`]) {
    const found = await ids(`/api/posts?limit=100${filter}`)
    expect([found.includes(tried.id), found.includes(real.id)]).toEqual([true, false])
    const read = await ids(`/api/accounts?limit=100${filter}`)
    expect([read.includes(accounts), read.includes(account)]).toEqual([true, false])
  }
  expect(await ids('/api/posts?provider=mastodon')).toEqual([])
  for (const route of [`GET /api/posts/${real.id}`, `GET /api/accounts/${account}`])
    expect(await refusal(tester.fetch(route)), route).toMatchObject({ status: 403, code: 'test_key_not_allowed' })
  expect((await tester.fetch(`GET /api/posts/${tried.id}`)).status).toBe(200)
  const cards = await tester.fetch('GET /api/integrations')
  expect(await cards.text()).not.toContain(account)
  const live = await make({ scopes: ['posts.read'] })
  const keys = await ids('/api/api-keys?limit=100')
  expect([keys.includes(tester.id), keys.includes(live.id)]).toEqual([true, false])
  expect((await tester.fetch(`GET /api/api-keys/${live.id}`)).status).toBe(404)
  await world.database.sql`DELETE FROM social.connections WHERE id = ${account}`
})

test('PLT-22 key never appears in the server’s log, regardless of where in the request it is sent', async () => {
  const { text } = world.key
  await world.key.fetch(`GET /api/posts/${text}?key=${text}`)
  await world.ada.fetch(`DELETE /api/api-keys/${text}`)
  await world.stranger.fetch(`GET /${text}`)
  expect(logged.length).toBeGreaterThan(3)
  expect(logged.join('\n')).not.toContain(text.slice(22, 40))
})

test('IDN-30 list of keys is paged, newest first', async () => {
  const first = await world.mallory.fetchJson<{ items: Key[]; nextCursor: string }>('GET /api/api-keys?limit=1')
  const rest = await world.mallory.fetchJson<{ items: Key[]; nextCursor: string | null }>(
    `GET /api/api-keys?limit=100&cursor=${first.nextCursor}`,
  )
  const ids = [...first.items, ...rest.items].map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted().toReversed())
  expect(rest.nextCursor).toBeNull()
})

test('IDN-30 IDN-05 revoking a key revokes the keys that it created, except those that a person has rotated', async () => {
  const scopes = ['api_keys.write', 'posts.read']
  const makerOf = async (key: Caller) => {
    const made = await make({ scopes }, key)
    return { ...made, caller: callerOf(world.handle, bearer(made.key)) }
  }
  const first = await makerOf(world.ada)
  const child = await makerOf(first.caller)
  const grandchild = await makerOf(child.caller)
  const rotated = await grandchild.caller.fetchJson<Key & { key: string }>(
    `POST /api/api-keys/${grandchild.id}/rotate`,
    { overlapHours: 1 },
    201,
  )
  const kept = await make({ scopes }, first.caller)
  const taken = await world.ada.fetchJson<Key & { key: string }>(
    `POST /api/api-keys/${kept.id}/rotate`,
    { overlapHours: 0 },
    201,
  )
  const other = await make({ scopes })
  for (const { key } of [first, child, grandchild, rotated, taken]) expect((await posts(key)).status).toBe(200)

  await world.ada.fetchJson(`DELETE /api/api-keys/${first.id}`)
  for (const { key } of [first, child, grandchild, rotated]) expect((await posts(key)).status).toBe(401)
  for (const { key } of [taken, other]) expect((await posts(key)).status).toBe(200)
  expect((await find(rotated.id)).revokedAt).toBe((await find(first.id)).revokedAt)
})

test('IDN-30 keys created by a key survive its rotation and are revoked with its successor', async () => {
  const scopes = ['api_keys.write', 'posts.read']
  const first = await make({ scopes })
  const child = await make({ scopes }, callerOf(world.handle, bearer(first.key)))
  const second = await world.ada.fetchJson<Key & { key: string }>(
    `POST /api/api-keys/${first.id}/rotate`,
    { overlapHours: 0 },
    201,
  )
  expect((await posts(child.key)).status).toBe(200)
  await world.ada.fetchJson(`DELETE /api/api-keys/${second.id}`)
  expect((await posts(child.key)).status).toBe(401)
})

test('IDN-30 key that expires in the last year that the database can represent can be rotated', async () => {
  const { id } = await make({ expiresAt: '9999-12-31T23:59:59.999Z' })
  const next = await world.ada.fetchJson<Key>(`POST /api/api-keys/${id}/rotate`, {}, 201)
  expect(next.expiresAt).toStartWith('9999-12-31')
})

test('PLT-22 token of an emailed link never appears in the server’s log', async () => {
  const token = world.invitationToken
  const html = { accept: 'text/html' }
  for (const path of [`/invitations/${token}`, `/register/confirm/${token}`])
    await world.stranger.fetch(`GET ${path}`, undefined, html)
  expect(logged.join('\n')).toContain('/invitations/…')
  expect(logged.join('\n')).not.toContain(token)
})

test('IDN-30 key creation is rejected at 1,000 usable keys, but rotation is not', async () => {
  const { sql } = world.database
  const first = await make({ name: 'First of many' })
  const copies = sql`
    INSERT INTO identity.api_keys
    SELECT (r.c).* FROM (
      SELECT jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'public_id', 'many' || to_char(n, 'FM00000000'))) AS c
      FROM identity.api_keys c, generate_series(1, 999) n WHERE c.id = ${first.id}) r`
  await copies
  try {
    expect(await refusal(world.ada.fetch('POST /api/api-keys', draft))).toMatchObject({
      status: 409,
      code: 'too_many_api_keys',
      detail: 'An organization can have at most 1000 API keys. Revoke one first.',
    })
    await world.ada.fetchJson(`POST /api/api-keys/${first.id}/rotate`, { overlapHours: 1 }, 201)
    await sql`UPDATE identity.api_keys SET revoked_at = now() WHERE public_id LIKE 'many0000%'`
    await make()
  } finally {
    await sql`DELETE FROM identity.api_keys WHERE public_id LIKE 'many0000%'`
  }
})

test('IDN-30 API key reads neither its creator’s profile nor preferences, over HTTP or in identity’s own process', async () => {
  const { key, provided, ada } = world
  for (const route of ['GET /api/auth/me', 'GET /api/auth/app-switcher/preferences'])
    expect(await refusal(key.fetch(route))).toMatchObject({ status: 403, code: 'session_required' })
  const refused = expect.objectContaining({ status: 403, code: 'session_required' })
  const { me, preferences } = provided.identity
  expect(await me(key.credential).catch((error: unknown) => error)).toEqual(refused)
  expect(await preferences(key.credential).catch((error: unknown) => error)).toEqual(refused)
  expect((await me(ada.credential)).user.id).toBe(ada.id)
  expect(await preferences(ada.credential)).toMatchObject({ hidden: [] })
})

test('PLT-06 page of a key describes its scopes, and revoking it there returns the page’s sections', async () => {
  const nightly = { name: 'Nightly', service: 'platform-socialize', scopes: ['posts.read'] }
  const { id } = await world.ada.fetchJson<{ id: string }>('POST /api/api-keys', nightly, 201)
  const detail = await world.ada.fetchJson<{ scopeUse: object[] }>(`GET /api/api-keys/${id}`)
  expect(detail.scopeUse).toMatchObject([
    { scope: 'posts.read', description: 'View drafts, scheduled posts and published posts' },
  ])
  const page = await (await world.ada.fetch(`GET /settings/keys/${id}`, undefined, { accept: 'text/html' })).text()
  expect(page).toContain('View drafts, scheduled posts and published posts')
  const htmx = { 'hx-request': 'true', 'hx-target': 'div#api-key' }
  const revoked = await (await world.ada.fetch(`DELETE /api/api-keys/${id}`, undefined, htmx)).text()
  expect(revoked).toMatch(/^<div class="page split" id="api-key".*<hx-partial hx-target="#api-key-header".*Revoked/s)
  expect((await world.mallory.fetch(`GET /settings/keys/${id}`, undefined, { accept: 'text/html' })).status).toBe(404)
})

test('PLT-12 keys are found by name, last characters and mode, and the filtered list is the fragment of its operation', async () => {
  const live = await world.ada.createKey({ scopes: ['posts.read'], name: 'Warehouse' })
  await world.ada.createKey({ scopes: ['posts.read'], name: 'Warehouse test', mode: 'test' })
  const { lastFour } = await world.ada.fetchJson<{ lastFour: string }>(`GET /api/api-keys/${live.id}`)
  const found = async (query: string) => {
    const { items } = await world.ada.fetchJson<{ items: { name: string }[] }>(`GET /api/api-keys?${query}`)
    return items.map(({ name }) => name)
  }
  expect(await found('q=warehouse')).toEqual(['Warehouse test', 'Warehouse'])
  expect(await found('q=warehouse&mode=live')).toEqual(['Warehouse'])
  expect(await found(`q=${lastFour}&mode=`)).toEqual(['Warehouse'])
  const htmx = { 'hx-request': 'true' }
  const fragment = await (await world.ada.fetch('GET /api/api-keys?q=no-such-key', undefined, htmx)).text()
  expect(fragment).toMatch(/^<div class="bleed" id="api-keys">.*No key matches/s)
})

test('SOC-12 API key can’t read or change the unsaved posts of the person who created it', async () => {
  const brandId = world.ada.things.brands
  const route = `/api/unsaved-posts/${newId()}`
  await world.ada.fetchJson(`PUT ${route}`, { brandId, content: unsavedContent })
  const key = await world.ada.createKey({ scopes: ['posts.read', 'posts.write'] })
  for (const refused of [
    await key.fetch('GET /api/unsaved-posts'),
    await key.fetch(`GET ${route}`),
    await key.fetch(`PUT ${route}`, { brandId, content: unsavedContent }),
    await key.fetch(`DELETE ${route}`),
  ])
    expect(refused.status).toBe(403)
  expect((await world.ada.fetch(`GET ${route}`)).status).toBe(200)
})

test('PLT-06 key’s row loads its menu and dialogs when the menu opens', async () => {
  const { id } = await make()
  const page = await (await world.ada.fetch('GET /settings/keys', undefined, { accept: 'text/html' })).text()
  expect(page).toContain(`id="key-menu-${id}" popover hx-get="/api/api-keys/${id}" hx-trigger="open"`)
  expect(page).not.toContain(`id="revoke-${id}"`)
  const opened = { 'hx-request': 'true', 'hx-target': `div#key-menu-${id}` }
  const menu = await (await world.ada.fetch(`GET /api/api-keys/${id}`, undefined, opened)).text()
  expect(menu).toMatch(
    new RegExp(`^<button.*Rotate.*<hx-partial hx-target="#key-dialogs-${id}".*id="revoke-${id}"`, 's'),
  )
})
