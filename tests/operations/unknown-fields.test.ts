import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { unknownFields } from '#lib/request/input.ts'
import { newId } from '#lib/ids.ts'
import { openWorld, type World } from '../support/world.ts'
import { sendChecked, fromPage, requestFor, allowedCaller } from './send-request.ts'
import { operations, type Declared } from './every.ts'
import { samplesOf, type Input } from './samples.ts'

// Unknown fields are refused by name: a mistyped one would otherwise be dropped silently.

let world: World

beforeAll(async () => {
  world = await openWorld({ apps: true })
})
afterAll(() => world.close())

const named = (of: Declared[]) => of.map((operation) => [operation.route, operation] as const)
// Routes in the format of another API pass unknown fields on to the provider.
const strict = operations.filter(
  ({ unknownFields: unknown, problemMembers }) => unknown !== 'ignored' && problemMembers === undefined,
)
const sampleOf = (operation: Declared): Input => samplesOf(operation, world)[0] ?? {}
/** The fields for connecting an account depend on the network. */
const ofNetwork = new Set(['connectIntegration'])
/** Each event of a report is rejected by itself: tests/gateway/usage-ingestion.test.ts. */
const ofEvents = new Set(['reportUsage'])

test.each(named(strict.filter(({ name }) => !ofEvents.has(name))))(
  'PLT-10 %s names an unknown field when rejecting it',
  async (_, operation) => {
    const requested = requestFor(operation, { ...sampleOf(operation), scheduleAt: 'tomorrow' })
    const caller = allowedCaller(operation, world)
    const answer = await sendChecked(caller, requested)
    expect(answer).toMatchObject({ status: 422, json: { code: 'validation_failed' } })
    expect(answer.json?.['errors']).toContainEqual({
      path: 'scheduleAt',
      message: 'Unknown field scheduleAt.',
    })
    expect((await sendChecked(caller, requested, fromPage)).status).toBe(422)
  },
)

const writing = strict.filter(({ method, name, signed }) => method !== 'GET' && !signed && !ofNetwork.has(name))
test.each(named(writing))('PLT-10 %s rejects an unknown field in its query or form', async (_, operation) => {
  const { route, body } = requestFor(operation, sampleOf(operation))
  const caller = allowedCaller(operation, world)
  const path = { path: 'typo', message: 'Unknown field typo.' }
  const inQuery = await sendChecked(caller, { route: `${route}${route.includes('?') ? '&' : '?'}typo=1`, body })
  expect([inQuery.status, inQuery.json?.['errors']]).toEqual([422, expect.arrayContaining([path])])
  if (operation.body?.as === 'stream' || operation.body?.describedAs) return // Forms are not accepted here.
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const inForm = await sendChecked(caller, { route, body: 'typo=1' }, form)
  expect([inForm.status, inForm.json?.['errors']]).toEqual([422, expect.arrayContaining([path])])
})

test('RFC 6749 unknown fields of OAuth and OpenID clients and of Instagram are ignored, and no others', async () => {
  const lenient = operations.filter(({ unknownFields: unknown }) => unknown === 'ignored')
  expect(lenient.map(({ route }) => route).sort()).toEqual([
    'GET /.well-known/jwks.json',
    'GET /.well-known/oauth-authorization-server',
    'GET /.well-known/oauth-protected-resource',
    'GET /.well-known/oauth-protected-resource/mcp',
    'GET /.well-known/openid-configuration',
    'GET /oauth/client-metadata.json',
    'POST /api/internal/service-tokens',
    'POST /callbacks/instagram/data-deletion',
    'POST /callbacks/instagram/deauthorize',
    'POST /sso/authorize',
    'POST /sso/exchange',
  ])
  for (const operation of lenient) {
    const requested = requestFor(operation, { ...sampleOf(operation), acr_values: 'any' })
    expect([operation.route, (await sendChecked(allowedCaller(operation, world), requested)).status]).toEqual([
      operation.route,
      200,
    ])
  }
})

test('page ignores tracking parameters in links', async () => {
  const answer = await world.ada.fetch('GET /openapi?utm_source=mail', undefined, { accept: 'text/html' })
  expect(answer.status).toBe(200)
})

/** Requests of the worked examples (spec/examples.md), as far as they are implemented. */
const examples: Record<string, Input[]> = {
  register: [
    {
      email: 'ada@example.com',
      password: 'correct horse battery',
      name: 'Ada',
      createOrganization: true,
      organizationName: 'Acme',
      organizationSlug: 'acme',
    },
  ],
  login: [{ email: 'ada@example.com', password: 'correct horse battery' }],
  switchContext: [{ organizationId: newId() }, { context: 'personal' }],
  createApiKey: [{ name: 'CI', service: 'platform-socialize', scopes: ['posts.read', 'posts.write'] }],
  createBrand: [{ name: 'Acme Coffee', timeZone: 'Europe/Berlin' }],
  connectIntegration: [{ platform: 'sandbox', brandId: newId(), handle: 'acme' }],
  createPost: [
    { brandId: newId(), provider: 'sandbox', text: 'Hello', status: 'scheduled', scheduledAt: '2099-11-21T10:20:00Z' },
    { brandId: newId(), provider: 'sandbox', status: 'scheduled', thread: [{ text: 'One' }, { text: 'Two' }] },
  ],
  listPosts: [{ threadId: newId() }],
  updatePost: [
    { id: newId(), status: 'draft' },
    { id: newId(), text: 'Edited' },
    { id: newId(), status: 'scheduled', scheduledAt: '2099-11-21T10:20:00Z' },
  ],
  listIntegrations: [{ brandId: newId() }],
  transferBrand: [{ brandId: newId(), targetOrganizationId: newId() }],
  createSandboxPost: [{ handle: 'acme', text: 'Hello', replyTo: null }],
  updateSandboxBehavior: [
    { handle: 'acme', mode: 'fail', status: 503, retryAfter: 1, latencyMs: 5, times: 2 },
    { handle: 'acme', mode: 'lose_answer', readBack: false },
  ],
  updatePracticeVideoBehavior: [{ mode: 'expire_session', on: 'chunk', status: 410, times: 1 }],
  updatePracticeModelsBehavior: [
    { mode: 'rate_limit', status: 503, retryAfter: 1, latencyMs: 5, tokens: 20, times: 2 },
    { mode: 'cut' },
  ],
  listSandboxPosts: [{ handle: 'acme', since: '2026-01-01T00:00:00Z' }],
}
describe('worked examples contain no unknown fields', () => {
  test.each(Object.entries(examples))('of %s', (name, inputs) => {
    const operation = operations.find((each) => each.name === name)
    if (!operation) throw new Error(`There is no operation ${name}`)
    for (const input of inputs) expect(unknownFields(operation.input, input)).toEqual([])
  })
})
