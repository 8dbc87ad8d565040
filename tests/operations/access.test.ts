import { afterAll, beforeAll, expect, test } from 'bun:test'
import { contentDigest } from '#lib/request/content-digest.ts'
import { keyScopes, openWorld, type World } from '../support/world.ts'
import { sendChecked, fromPage, inWords, navigation, requestFor, allowedCaller, servicesFor } from './send-request.ts'
import { guarded, operations, withBody, type Declared } from './every.ts'
import { samplesOf } from './samples.ts'

// Access to every operation, without a list of names.

let world: World

beforeAll(async () => {
  world = await openWorld({ apps: true })
})

afterAll(() => world.close())

const sampleOf = (operation: Declared) => requestFor(operation, samplesOf(operation, world)[0] ?? {})

test.each(guarded.map((operation) => [operation.route, operation] as const))(
  'PLT-07 PLT-10 PLT-20 %s without a usable credential returns 401, and nothing is done',
  async (_, operation) => {
    const credentials: Record<string, string>[] = [
      {},
      { authorization: 'Bearer nonsense' },
      { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.' },
      { authorization: 'Basic YWRhOmFkYQ==' },
      { authorization: '' },
      { cookie: 'session=nonsense', 'sec-fetch-site': 'same-origin' },
    ]
    for (const credential of credentials) {
      const answer = await sendChecked(world.stranger, sampleOf(operation), credential)
      expect(answer).toMatchObject({ status: 401, json: { code: 'invalid_token', title: 'Unauthorized' } })
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
  },
)

test.each(guarded.map((operation) => [operation.route, operation] as const))(
  'PLT-06 %s redirects a signed-out browser to /login and back',
  async (_, operation) => {
    const { route, body } = sampleOf(operation)
    const visited = await sendChecked(world.stranger, { route, body }, navigation)
    expect(visited.status).toBe(303)
    expect(visited.headers.get('location')).toBe(`/login?next=${encodeURIComponent(route.split(' ')[1] ?? '')}`)
    const fetched = await sendChecked(world.stranger, { route, body }, fromPage)
    expect(fetched.status).toBe(200)
    const back = encodeURIComponent('/workspace/posts?status=draft')
    expect(fetched.headers.get('hx-redirect')).toBe(`/login?next=${back}`)
  },
)

/** Operations for everyone who is signed in, in any role or none. */
const isOfPeople = ({ permission }: Declared): boolean => permission === 'signed-in' || permission === 'person'

const permitted = guarded.filter(
  (operation) => !isOfPeople(operation) && operation.permission !== 'known' && !operation.signed,
)

test.each(guarded.filter(({ signed }) => signed).map((operation) => [operation.route, operation] as const))(
  'IDN-35 %s returns 401 for people, keys, tokens for other services and unsigned requests',
  async (_, operation) => {
    const sample = sampleOf(operation)
    for (const caller of [world.ada, world.nora, world.root, world.key, world.service])
      expect(await sendChecked(caller, sample)).toMatchObject({ status: 401, json: { code: 'invalid_token' } })
    for (const digest of [
      '',
      'sha-256=:AAAA:',
      'md5=:AAAA:',
      contentDigest(new TextEncoder().encode('another body')),
    ]) {
      const answer = await sendChecked(world.console, sample, { 'content-digest': digest })
      expect(answer).toMatchObject({ status: 401, json: { code: 'invalid_token' } })
    }
  },
)

test.each(permitted.map((operation) => [operation.route, operation] as const))(
  'SOC-40 PLT-10 %s returns 403 without its permission and names it in the response',
  async (_, operation) => {
    const { permission, method, callers, services } = operation
    // The service's token is for identity.
    const people = services ? [world.nora] : [world.nora, world.service]
    const lacking = permission === 'service' ? [world.ada, world.nora] : people
    if (permission === 'super-admin') lacking.push(world.ada)
    const otherService = Object.entries(servicesFor(operation, world)).find(([slug]) => !callers?.includes(slug))
    if (callers && otherService) lacking.push(otherService[1])
    const isWrite = method !== 'GET' && !permission.endsWith(':read')
    if (permission !== 'service' && (isWrite || permission === 'role:admin')) lacking.push(world.vera)
    for (const caller of lacking) {
      const answer = await sendChecked(caller, sampleOf(operation))
      expect(answer).toMatchObject({ status: 403, json: { code: 'permission_missing', permission } })
      const read = await sendChecked(caller, sampleOf(operation), fromPage)
      expect(read.status).toBe(403)
      expect(read.text).toContain(inWords(permission))
    }
  },
)

/** Reads what only senders of batches see. */
const ofSenders = ['getSentSettlement']

/** Reads what only the person who typed it sees, and the sample is Ada's. */
const ofAuthorOnly = ['getUnsavedPost']

const reading = permitted.filter(
  ({ name, permission, method }) =>
    !/^(service|super-admin|role:.+)$/.test(permission) && method === 'GET' && !ofSenders.includes(name),
)

test.each(reading.map((operation) => [operation.route, operation] as const))(
  'IDN-19 %s responds to a viewer',
  async (_, operation) => {
    const status = ofAuthorOnly.includes(operation.name) ? 404 : 200
    expect((await sendChecked(world.vera, sampleOf(operation))).status).toBe(status)
  },
)

const scopeOf = (permission: string) => permission.replace(':', '.')
const isForKey = ({ permission, service }: Declared): boolean =>
  service === 'platform-socialize' && keyScopes.some((scope) => scope === scopeOf(permission))

test.each(
  guarded.filter(({ permission }) => permission !== 'known').map((operation) => [operation.route, operation] as const),
)('SOC-40 IDN-30 %s responds only to keys whose scopes include its permission', async (_, operation) => {
  const { permission } = operation
  const answer = await sendChecked(world.key, sampleOf(operation))
  if (isForKey(operation)) return expect(answer.status).toBe(operation.problems?.['session_required'] ? 403 : 200)
  if (operation.signed) return expect(answer).toMatchObject({ status: 401, json: { code: 'invalid_token' } })
  const refusal = isOfPeople(operation) ? { code: 'session_required' } : { code: 'permission_missing', permission }
  expect(answer).toMatchObject({ status: 403, json: refusal })
})

test('SOC-40 API key of the test world can use some operations and not others', () => {
  expect(guarded.filter(isForKey).length).toBeWithin(5, guarded.length / 2)
})

const foreign: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'same-site', origin: 'http://localhost' },
  { origin: 'https://evil.example' },
  { origin: 'http://localhost:1' },
  { origin: 'null' },
  {},
]

test('PLT-21 session cookie changes nothing in cross-site requests or without Origin', async () => {
  const { cookie } = await world.ada.signIn()
  const before = await world.ada.fetchJson('GET /api/posts')
  for (const operation of withBody)
    for (const headers of foreign) {
      const answer = await sendChecked(world.stranger, sampleOf(operation), { cookie, ...headers })
      expect(answer, `${operation.route} ${JSON.stringify(headers)}`).toMatchObject({
        status: 403,
        json: { code: 'cross_origin' },
      })
    }
  expect(await world.ada.fetchJson('GET /api/posts')).toEqual(before)
  expect((await world.stranger.fetch('GET /api/auth/me', undefined, { cookie })).status).toBe(200)
})

test('PLT-21 same requests from this origin, or from a program, pass the origin check', async () => {
  const { cookie } = await world.ada.signIn()
  const own = [{ 'sec-fetch-site': 'same-origin' }, { origin: 'http://localhost' }, world.ada.credential]
  for (const operation of operations.filter(
    ({ method, permission }) => method === 'PUT' && !['super-admin', 'service'].includes(permission),
  ))
    for (const headers of own) {
      const answer = await sendChecked(world.stranger, sampleOf(operation), { cookie, ...headers })
      expect([200, 204], operation.route).toContain(answer.status)
    }
})

test('PLT-20 service token is rejected by every operation that requires a person', async () => {
  for (const operation of guarded.filter(isOfPeople)) {
    const answer = await sendChecked(world.service, sampleOf(operation))
    const isRegistry = operation.path.startsWith('/api/services/')
    expect(isRegistry ? [200] : [200, 403, 404], operation.route).toContain(answer.status)
    expect(answer.text).not.toContain(world.ada.email)
  }
})

test('every operation that is not public has a caller who can use it', async () => {
  for (const operation of guarded) {
    const shown = operation.signed ? 'on-behalf-of' : 'authorization'
    expect(allowedCaller(operation, world).credential).toHaveProperty(shown)
  }
})
