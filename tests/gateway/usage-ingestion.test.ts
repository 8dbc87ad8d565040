import { afterAll, beforeAll, expect, test } from 'bun:test'
import { serviceTokens } from '#identity'
import { newId } from '#lib/ids.ts'
import { usageRow } from './usage-row.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let serviceToken: string
const dayMs = 24 * 60 * 60 * 1000

beforeAll(async () => {
  world = await openWorld()
  const { secrets } = world.provided
  serviceToken = await serviceTokens(
    { db: world.database.db, secrets, now: () => new Date() },
    'platform-socialize',
  )('platform-gateway')
})
afterAll(() => world.close())

const event = (more: object = {}) => ({
  requestId: newId(),
  applicationId: 'mail',
  userId: null,
  family: 'requests',
  provider: 'localization-api',
  model: null,
  unit: 'request',
  quantity: 1,
  costNanoUsd: 1200,
  occurredAt: new Date().toISOString(),
  metadata: {},
  ...more,
})

const cloudEvent = ({ requestId, occurredAt, ...data }: ReturnType<typeof event>, more: object = {}) => ({
  specversion: '1.0',
  id: requestId,
  source: '/localization',
  type: 'com.example.translation',
  time: occurredAt,
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  data,
  ...more,
})

async function report(body: unknown, { type = 'application/json', credential = world.ada.credential } = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { ...credential, 'content-type': type }
  const response = await world.handle(
    new Request('http://localhost/platform/usage/events', { method: 'POST', body: text, headers }),
  )
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const rejections = async (...events: unknown[]) => {
  const { status, body } = await report(events)
  expect(status).toBe(202)
  return (body['rejected'] as { code: string; message: string }[]).map(({ code, message }) => `${code} ${message}`)
}

test('GTW-30 one event, a list and CloudEvents are accepted once, whatever their form', async () => {
  const one = event()
  const receipt = (accepted: number, duplicates: number) => ({
    status: 202,
    body: { accepted, duplicates, rejected: [] },
  })
  expect(await report(one)).toEqual(receipt(1, 0))
  expect(await report([one, event(), event()])).toEqual(receipt(2, 1))
  expect(await report(cloudEvent(one), { type: 'application/cloudevents+json; charset=utf-8' })).toEqual(receipt(0, 1))
  expect(await report(cloudEvent(event()))).toEqual(receipt(1, 0))
  expect(await report([cloudEvent(one), cloudEvent(event())], { type: 'application/cloudevents-batch+json' })).toEqual(
    receipt(1, 1),
  )
  expect(await report([])).toEqual(receipt(0, 0))
  const { requestId, family, provider, unit } = event()
  const least = { requestId, family, provider, unit, quantity: 0.25 }
  expect(await report(least)).toEqual(receipt(1, 0))
  // Without a time: a retry arrives later.
  expect(await report(least)).toEqual(receipt(0, 1))
  const daily = await world.ada.fetchJson('GET /api/usage/daily?groupBy=family')
  expect(daily).toMatchObject({ items: [{ family: 'requests', count: 6, quantity: 5.25, costNanoUsd: 6000 }] })
})

test('GTW-30 every invalid event is rejected by itself with its reason; the others are stored', async () => {
  const stored = event()
  await report(stored)
  const { status, body } = await report([
    event(),
    { ...stored, costNanoUsd: 7 },
    event({ quantity: -1, cost: 5 }),
    event({ occurredAt: new Date(Date.now() - 31 * dayMs).toISOString() }),
    event({ occurredAt: new Date(Date.now() + 2 * 60 * 60 * 1000).toISOString() }),
    event({ organizationId: world.mallory.things.organizations }),
    event({ organizationId: world.ada.things.organizations.toUpperCase(), applicationId: undefined }),
  ])
  expect(status).toBe(202)
  expect(body).toEqual({
    accepted: 2,
    duplicates: 0,
    rejected: [
      { index: 1, code: 'conflict', message: `requestId: ${stored.requestId} was already reported with other data.` },
      { index: 2, code: 'invalid', message: 'quantity: Must be at least 0. cost: Unknown field cost.' },
      { index: 3, code: 'too_old', message: expect.stringContaining('30 days') },
      { index: 4, code: 'in_the_future', message: expect.stringContaining('an hour') },
      { index: 5, code: 'foreign_organization', message: expect.stringContaining('own organization') },
    ],
  })
  expect(await rejections(null, 7, 'x', [], {})).toEqual([
    'invalid Must be an object.',
    'invalid Must be an object.',
    'invalid Must be an object.',
    'invalid Must be an object.',
    expect.stringMatching(
      /^invalid requestId: Required. family: .* provider: Required. unit: Required. quantity: Required.$/,
    ),
  ])
  const wide = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, at]))
  const found = await rejections(
    event({ requestId: 'a\0b' }),
    event({ provider: 'a\uDFFFb' }),
    event({ family: 'rent' }),
    event({ costNanoUsd: 0.5 }),
    event({ costNanoUsd: 1e13 + 1 }),
    event({ costNanoUsd: 2 ** 53 }),
    event({ quantity: '1' }),
    event({ occurredAt: 'yesterday' }),
    event({ metadata: wide }),
    event({ metadata: { text: 'x'.repeat(500), more: 'x'.repeat(500), third: 'x' } }),
    event({ metadata: { brand: { id: 1 } } }),
    event({ requestId: '' }),
    cloudEvent(event(), { specversion: '0.3' }),
    cloudEvent(event(), { data: undefined, data_base64: 'e30=' }),
  )
  expect(found.filter((each) => each.startsWith('invalid '))).toHaveLength(14)
  expect(found.join('\n')).not.toContain('Invalid')
})

test('GTW-30 body that is no list of events is a problem, and nothing of it is stored', async () => {
  const codes: unknown[] = []
  const refused = [
    report('{"requestId":'),
    report(''),
    report([event()], { type: 'application/cloudevents+json' }),
    report(event(), { type: 'application/cloudevents-batch+json' }),
    report(event(), { type: 'text/plain' }),
    report(Array.from({ length: 1001 }, () => event())),
    report(`[${' '.repeat(4 * 1024 * 1024)}]`),
  ]
  for (const { status, body } of await Promise.all(refused)) codes.push(status, body['code'])
  const expected = [400, 'malformed', 400, 'malformed', 422, 'validation_failed', 422, 'validation_failed']
  expect(codes).toEqual([...expected, 415, 'unsupported_media_type', 413, 'body_too_large', 413, 'body_too_large'])
})

test('GTW-30 service reports for any organization, which it has to name; viewers report nothing', async () => {
  const credential = { authorization: `Bearer ${serviceToken}` }
  const organizationId = world.mallory.things.organizations
  const answer = await report([event({ organizationId }), event()], { credential })
  const rejected = [{ index: 1, code: 'invalid', message: 'organizationId: Required.' }]
  expect(answer).toEqual({ status: 202, body: { accepted: 1, duplicates: 0, rejected } })
  expect((await report(event(), { credential: world.vera.credential })).status).toBe(403)
  expect((await report(event(), { credential: {} })).status).toBe(401)
})

test('GTW-30 events of services for organizations that don’t exist are rejected, the others are counted', async () => {
  const credential = { authorization: `Bearer ${serviceToken}` }
  const organizationId = world.mallory.things.organizations
  const absent = newId()
  const events = [event({ organizationId: absent }), event({ organizationId }), event({ organizationId: absent })]
  const { status, body } = await report(events, { credential })
  expect([status, body['accepted']]).toEqual([202, 1])
  expect(body['rejected']).toMatchObject([
    { index: 0, code: 'unknown_organization' },
    { index: 2, code: 'unknown_organization' },
  ])
  expect(await world.database.sql`SELECT FROM gateway.usage_logs WHERE organization_id = ${absent}`).toHaveLength(0)
  const question = { organizationId: absent, family: 'ai', provider: 'own', costNanoUsd: 1 }
  const preflight = new Request('http://localhost/platform/usage/preflight', {
    method: 'POST',
    body: JSON.stringify(question),
    headers: { ...credential, 'content-type': 'application/json' },
  })
  expect((await world.handle(preflight)).status).toBe(404)
})

test('GTW-31 costs that an organization reports in a day can exceed every integer of the database', async () => {
  const organizationId = world.ada.things.organizations
  const large = { organizationId, provider: 'large', costNanoUsd: 9n * 10n ** 18n }
  for (let round = 0; round < 2; round++) await world.provided.ledger.commit([usageRow(large)], { durable: true })
  const { status, body } = await report(event({ provider: 'large' }))
  expect([status, body['accepted']]).toEqual([202, 1])
  const [total] = await world.database.sql<{ cost: string }[]>`
    SELECT sum(cost_nano_usd)::text AS cost FROM gateway.usage_daily WHERE provider = 'large'`
  expect(total?.cost).toBe(String(18n * 10n ** 18n + 1200n))
  expect(await world.ada.fetchJson<object>('GET /api/usage/verify')).toMatchObject({ agrees: true })
})

test('GTW-30 the same events from eight senders at once are accepted exactly once', async () => {
  const events = Array.from({ length: 300 }, () => event())
  const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => report(at % 2 ? events : events.toReversed())))
  const sum = (name: string) => answers.reduce((total, { body }) => total + Number(body[name]), 0)
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202))
  expect([sum('accepted'), sum('duplicates')]).toEqual([300, 7 * 300])
})
