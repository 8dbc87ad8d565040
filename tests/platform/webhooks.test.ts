import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { Problem } from '#lib/errors.ts'
import { deleteExpired } from '#lib/db/delete-expired.ts'
import type { OpenApiDocument } from '#lib/openapi.ts'
import { createOutbound } from '#lib/outbound.ts'
import { deliverSlowWebhook, deliverWebhook, retryDelays } from '#lib/outgoing-webhooks/deliver.ts'
import { emitWebhook } from '#lib/outgoing-webhooks/emit.ts'
import { resumeWebhook, resumeWebhooks } from '#lib/outgoing-webhooks/resume.ts'
import { webhookMessages } from '#lib/schema.ts'
import { deleteRows } from '#lib/tenant-data/erase.ts'
import { ownData } from '#lib/tenant-data/own.ts'
import { socialEvents } from '../../src/social/events.ts'
import { eventually } from '../boot/program.ts'
import { bearer, openWorld, type World } from '../support/world.ts'
import { callerOf } from '../support/world/callers.ts'
import { signUp } from '../support/world/people.ts'

interface Endpoint {
  id: string
  name: string
  url: string
  events: string[]
  state: string
  secret?: string
  previousSecretEndsAt: string | null
}

interface Delivery {
  id: string
  messageId: string
  type: string
  state: string
  attempts: number
  lastStatus: number | null
  nextAttemptAt: string | null
  body: string
  log: { number: number; status: number | null; answer: string | null; problem: string | null }[]
}

interface Refusal {
  code: string
  errors?: { path: string; message: string }[]
  permission?: string
}

interface Received {
  path: string
  headers: Record<string, string>
  body: string
}

let world: World
let address: string
const received: Received[] = []
/** The responses of the webhook endpoint, by path. */
const answers = new Map<string, () => Response | Promise<Response>>()
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const { pathname } = new URL(request.url)
    received.push({ path: pathname, headers: Object.fromEntries(request.headers), body: await request.text() })
    return (await answers.get(pathname)?.()) ?? new Response('Thanks')
  },
})

beforeAll(async () => {
  world = await openWorld()
  address = `http://127.0.0.1:${server.port}`
})
afterAll(async () => {
  await server.stop(true)
  await world.close()
})

const [published] = socialEvents
let made = 0

/** An endpoint of Acme's with its own path. */
async function newEndpoint(events: string[] = ['post.published']) {
  const path = `/hook-${++made}`
  const draft = { name: `Hook ${made}`, url: `${address}${path}`, events }
  const endpoint = await world.ada.fetchJson<Endpoint>('POST /api/webhooks', draft, 201)
  const at = `/api/webhooks/${endpoint.id}`
  return {
    ...endpoint,
    secret: endpoint.secret ?? '',
    path,
    at,
    received: () => received.filter((each) => each.path === path),
    deliveries: async () => (await world.ada.fetchJson<{ items: Delivery[] }>(`GET ${at}/deliveries`)).items,
    read: (id: string) => world.ada.fetchJson<Delivery>(`GET ${at}/deliveries/${id}`),
    remove: () => world.ada.fetchJson(`DELETE ${at}`, undefined, 204),
  }
}

const organizationId = () => world.ada.things.organizations
const clock = (at = new Date()) => ({
  queue: world.provided.queue,
  events: world.provided.events,
  now: () => at,
})
const data = {
  postId: crypto.randomUUID(),
  brandId: crypto.randomUUID(),
  provider: 'sandbox',
  threadId: null,
  platformPostId: '1',
  permalink: 'https://example.com/1',
  publishedAt: new Date('2026-11-22T06:00:00Z'),
}

const emit = (of = organizationId()) =>
  world.database.transaction((tx) => emitWebhook(tx, clock(), { organizationId: of, event: published, data }))

/** Runs the jobs of an endpoint at a time, also when this machine is so busy that the endpoint counts as slow. */
async function deliver(endpointId: string, at = new Date(), provided = world.provided): Promise<void> {
  const rows = await world.database.sql<{ id: string; round: number }[]>`
    SELECT id, round FROM platform.webhook_deliveries WHERE endpoint_id = ${endpointId} AND state = 'waiting'`
  for (const { id, round } of rows)
    await deliverSlowWebhook.run({ ...provided, input: { id, round }, database: world.database, now: () => at })
}

const jobWork = () => ({ ...world.provided, database: world.database, now: () => new Date() })
const resume = (id: string, of = organizationId()) =>
  resumeWebhook.run({ ...jobWork(), input: { id, organizationId: of } })
const resumeAll = (provided = world.provided) => resumeWebhooks.run({ ...jobWork(), ...provided, input: {} })
const countJobs = async (name: string, id = '') =>
  (await world.database.sql`SELECT FROM pgboss.job WHERE name = ${name} AND data->>'id' = ${id}`).length
const jobsOf = (id?: string) => countJobs(deliverWebhook.name, id)
const resumptionsOf = (id: string) => countJobs(resumeWebhook.name, id)

test('webhooks: an event is sent with the signature of Standard Webhooks, only to subscribed endpoints', async () => {
  const wanting = await newEndpoint()
  const other = await newEndpoint(['post.failed'])
  await emit()
  await deliver(wanting.id)
  await deliver(other.id)
  const [request] = wanting.received()
  expect(wanting.received()).toHaveLength(1)
  expect(new Webhook(wanting.secret).verify(request?.body ?? '', request?.headers ?? {})).toEqual({
    type: 'post.published',
    timestamp: expect.any(String),
    data: { ...data, publishedAt: '2026-11-22T06:00:00.000Z' },
  })
  expect(() => new Webhook(wanting.secret).verify(`${request?.body} `, request?.headers ?? {})).toThrow()
  expect(other.received()).toEqual([])
  expect(await other.deliveries()).toEqual([])
  const [delivery] = await wanting.deliveries()
  expect(delivery).toMatchObject({ state: 'delivered', attempts: 1, lastStatus: 200, nextAttemptAt: null })
  expect(delivery?.messageId).toBe(request?.headers['webhook-id'] ?? '')
  expect(await wanting.read(delivery?.id ?? '')).toMatchObject({
    body: request?.body,
    log: [{ number: 1, status: 200, answer: 'Thanks', problem: null }],
  })
  await Promise.all([wanting.remove(), other.remove()])
})

test('webhooks: an event from a rolled-back transaction is not sent', async () => {
  const endpoint = await newEndpoint()
  const [{ started } = { started: null }] = await world.database.sql<{ started: Date }[]>`SELECT now() AS started`
  const broken = world.database.transaction(async (tx) => {
    await emitWebhook(tx, clock(), { organizationId: organizationId(), event: published, data })
    throw new Error('Rolled back')
  })
  await expect(broken).rejects.toThrow('Rolled back')
  expect(await endpoint.deliveries()).toEqual([])
  const jobs = await world.database.sql`
    SELECT 1 FROM pgboss.job j WHERE j.name = ${deliverWebhook.name}
      AND NOT EXISTS (SELECT 1 FROM platform.webhook_deliveries d WHERE d.id::text = j.data->>'id')
      AND j.created_on > ${started}`
  expect([...jobs]).toEqual([])
  await endpoint.remove()
})

test('webhooks: an event that is emitted while its endpoint is being deleted doesn’t block anything', async () => {
  const endpoint = await newEndpoint()
  const { sql } = world.database
  const [started, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const deleting = sql.begin(async (tx) => {
    await tx`DELETE FROM platform.webhook_endpoints WHERE id = ${endpoint.id}`
    started.resolve()
    await commit.promise
  })
  await started.promise
  const emitting = emit()
  const waits = async () =>
    (await sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`).length >
    0
  const waited = await eventually(waits, 20_000)
  commit.resolve()
  await deleting
  await emitting
  expect(waited).toBe(true)
  const left = await sql`SELECT 1 FROM platform.webhook_deliveries WHERE endpoint_id = ${endpoint.id}`
  expect([...left]).toEqual([])
})

test('webhooks: a delivery is attempted ten times over about 75 hours with the same ID, then fails and can be replayed', async () => {
  const endpoint = await newEndpoint()
  answers.set(endpoint.path, () => new Response('x'.repeat(5_000), { status: 503 }))
  await emit()
  const started = new Date()
  let at = started
  const waits: number[] = []
  for (;;) {
    await deliver(endpoint.id, at)
    const [delivery] = await endpoint.deliveries()
    if (delivery?.state !== 'waiting') break
    const next = new Date(delivery.nextAttemptAt ?? '')
    waits.push(Math.round((next.getTime() - at.getTime()) / 1000))
    at = next
  }
  expect(waits).toEqual([...retryDelays])
  expect((at.getTime() - started.getTime()) / 3_600_000).toBeWithin(75, 76)
  expect(endpoint.received()).toHaveLength(10)
  expect(new Set(endpoint.received().map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  const [delivery] = await endpoint.deliveries()
  const failed = await endpoint.read(delivery?.id ?? '')
  expect(failed).toMatchObject({ state: 'failed', attempts: 10, lastStatus: 503 })
  expect(failed.log[0]?.answer).toHaveLength(2_000)
  const [job] = await world.database.sql`
    SELECT count(*)::int AS count, max(extract(epoch FROM start_after - created_on))::int AS seconds
    FROM pgboss.job WHERE data->>'id' = ${failed.id}`
  expect(job).toEqual({ count: 10, seconds: 24 * 60 * 60 })

  answers.delete(endpoint.path)
  await world.ada.fetchJson(`POST ${endpoint.at}/deliveries/${failed.id}/replay`)
  await deliver(endpoint.id)
  expect(endpoint.received()).toHaveLength(11)
  expect(endpoint.received()[10]?.headers['webhook-id']).toBe(failed.messageId)
  expect(endpoint.received()[10]?.body).toBe(failed.body)
  expect(await endpoint.read(failed.id)).toMatchObject({ state: 'delivered', attempts: 11 })
  for (let again = 0; again < 12; again++) {
    await world.ada.fetchJson(`POST ${endpoint.at}/deliveries/${failed.id}/replay`)
    await deliver(endpoint.id)
  }
  const { log } = await endpoint.read(failed.id)
  expect(log.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, place) => 23 - place))
  await endpoint.remove()
})

test('PLT-31 all failed deliveries of a webhook are replayed at once; a search finds them by event and by ID', async () => {
  const endpoint = await newEndpoint()
  for (let sent = 0; sent < 3; sent++) await emit()
  await world.database.sql`
    UPDATE platform.webhook_deliveries SET state = 'failed', settled_at = now(), next_attempt_at = NULL
    WHERE endpoint_id = ${endpoint.id} AND id <> (SELECT max(id::text)::uuid FROM platform.webhook_deliveries WHERE endpoint_id = ${endpoint.id})`
  const facts = () => world.ada.fetchJson(`GET ${endpoint.at}`)
  const search = async (query: string) =>
    (await world.ada.fetchJson<{ items: Delivery[] }>(`GET ${endpoint.at}/deliveries?${query}`)).items.length
  const [first] = await endpoint.deliveries()
  expect(await facts()).toMatchObject({
    failed: 2,
    recent: { delivered: 0, total: 3 },
    lastDeliveryAt: expect.any(String),
  })
  expect(
    await Promise.all(
      ['q=post.published', `q=${first?.id}`, 'q=post.failed', 'q=post.published&state=failed'].map(search),
    ),
  ).toEqual([3, 1, 0, 2])
  const stranger = await world.mallory.fetch(`POST ${endpoint.at}/replay-failed`, {})
  expect(stranger.status).toBe(404)
  expect(await world.ada.fetchJson(`POST ${endpoint.at}/replay-failed`, {})).toEqual({ replayed: 2, remaining: 0 })
  await deliver(endpoint.id)
  expect(endpoint.received()).toHaveLength(3)
  expect(await facts()).toMatchObject({ failed: 0, recent: { delivered: 3, total: 3 } })
  await world.ada.fetchJson(`PATCH ${endpoint.at}`, { state: 'paused' })
  expect((await world.ada.fetch(`POST ${endpoint.at}/replay-failed`, {})).status).toBe(409)
  await endpoint.remove()
})

test('webhooks: a job enqueued before a replay sends nothing', async () => {
  const endpoint = await newEndpoint()
  const { id } = await world.ada.fetchJson<Delivery>(`POST ${endpoint.at}/test`, {}, 201)
  await world.ada.fetchJson(`POST ${endpoint.at}/deliveries/${id}/replay`)
  await deliverWebhook.run({
    ...world.provided,
    input: { id, round: 1 },
    database: world.database,
    now: () => new Date(),
  })
  expect(endpoint.received()).toEqual([])
  await endpoint.remove()
})

test('webhooks: 410 disables the endpoint until an admin enables it; a test is sent without a subscription', async () => {
  const endpoint = await newEndpoint()
  answers.set(endpoint.path, () => new Response(null, { status: 410 }))
  await emit()
  await deliver(endpoint.id)
  expect(await world.ada.fetchJson<Endpoint>(`GET ${endpoint.at}`)).toMatchObject({ state: 'disabled' })
  expect((await endpoint.deliveries())[0]).toMatchObject({ state: 'failed', attempts: 1, lastStatus: 410 })
  await emit()
  expect(await endpoint.deliveries()).toHaveLength(1)
  expect((await world.ada.fetchJson<Refusal>(`POST ${endpoint.at}/test`, {}, 409)).code).toBe('webhook_not_enabled')
  answers.delete(endpoint.path)
  await world.ada.fetchJson(`PATCH ${endpoint.at}`, { state: 'enabled' })
  const sent = await world.ada.fetchJson<Delivery>(`POST ${endpoint.at}/test`, {}, 201)
  expect(sent).toMatchObject({ type: 'webhook.test', state: 'waiting' })
  await world.database.sql`UPDATE platform.webhook_endpoints SET state = 'disabled' WHERE id = ${endpoint.id}`
  await deliver(endpoint.id)
  expect(await endpoint.read(sent.id)).toMatchObject({
    state: 'failed',
    log: [{ status: null, problem: 'The webhook was disabled because its URL responded with 410 Gone.' }],
  })
  expect(endpoint.received()).toHaveLength(1)
  await endpoint.remove()
})

test('webhooks: late 410 from the old URL is a failed attempt: the webhook stays enabled, and the delivery goes to the new URL', async () => {
  const endpoint = await newEndpoint()
  answers.set(endpoint.path, async () => {
    await world.ada.fetchJson(`PATCH ${endpoint.at}`, { url: `${address}${endpoint.path}/moved` })
    return new Response(null, { status: 410 })
  })
  await emit()
  await deliver(endpoint.id)
  expect(await world.ada.fetchJson<Endpoint>(`GET ${endpoint.at}`)).toMatchObject({ state: 'enabled' })
  const [waiting] = await endpoint.deliveries()
  expect(waiting).toMatchObject({ state: 'waiting', attempts: 1, lastStatus: 410, nextAttemptAt: expect.any(String) })
  await deliver(endpoint.id)
  expect(await endpoint.read(waiting?.id ?? '')).toMatchObject({ state: 'delivered', attempts: 2, lastStatus: 200 })
  expect(received.at(-1)?.path).toBe(`${endpoint.path}/moved`)
  await endpoint.remove()
})

test('webhooks: the deliveries of a paused webhook wait until it is enabled, without losing an attempt', async () => {
  const endpoint = await newEndpoint()
  await emit()
  await world.ada.fetchJson(`PATCH ${endpoint.at}`, { state: 'paused' })
  await deliver(endpoint.id)
  await deliver(endpoint.id)
  const [held] = await endpoint.deliveries()
  expect(held).toMatchObject({ state: 'waiting', attempts: 0, nextAttemptAt: null })
  expect((await endpoint.read(held?.id ?? '')).log).toEqual([])
  expect(await jobsOf(held?.id)).toBe(1)
  await resume(endpoint.id)
  expect(await jobsOf(held?.id)).toBe(1)
  await world.ada.fetchJson(`PATCH ${endpoint.at}`, { state: 'enabled' })
  expect(await resumptionsOf(endpoint.id)).toBe(1)
  await resume(endpoint.id)
  await resume(endpoint.id)
  expect(await jobsOf(held?.id)).toBe(2)
  expect((await endpoint.deliveries())[0]).toMatchObject({ attempts: 0, nextAttemptAt: expect.any(String) })
  await deliver(endpoint.id)
  expect(await endpoint.read(held?.id ?? '')).toMatchObject({ state: 'delivered', attempts: 1 })
  expect(endpoint.received()).toHaveLength(1)
  await endpoint.remove()
})

test('webhooks: a long backlog is enqueued in batches after the webhook is enabled', async () => {
  const endpoint = await newEndpoint()
  const { sql } = world.database
  await sql`
    WITH messages AS (
      INSERT INTO platform.webhook_messages (id, organization_id, type, body, created_at)
      SELECT gen_random_uuid(), ${organizationId()}, 'post.published', '{}', now() FROM generate_series(1, 101)
      RETURNING id)
    INSERT INTO platform.webhook_deliveries (id, message_id, endpoint_id, state, created_at)
    SELECT gen_random_uuid(), id, ${endpoint.id}, 'waiting', now() FROM messages`
  const held = async () =>
    (
      await sql`
        SELECT FROM platform.webhook_deliveries WHERE endpoint_id = ${endpoint.id} AND next_attempt_at IS NULL`
    ).length
  await resume(endpoint.id)
  expect([await held(), await resumptionsOf(endpoint.id)]).toEqual([1, 1])
  await resume(endpoint.id)
  expect([await held(), await resumptionsOf(endpoint.id)]).toEqual([0, 1])
  await endpoint.remove()
})

test('webhooks: a delivery is not held when its webhook is enabled at the same time', async () => {
  const endpoint = await newEndpoint()
  await emit()
  const [delivery] = await endpoint.deliveries()
  await world.ada.fetchJson(`PATCH ${endpoint.at}`, { state: 'paused' })
  const transaction: typeof world.database.transaction = async (work) => {
    await world.ada.fetchJson(`PATCH ${endpoint.at}`, { state: 'enabled' })
    return world.database.transaction(work)
  }
  const input = { id: delivery?.id ?? '', round: 1, organizationId: organizationId() }
  const call = { ...world.provided, input, now: () => new Date() }
  await deliverWebhook.run({ ...call, database: { ...world.database, transaction } })
  expect((await endpoint.deliveries())[0]?.nextAttemptAt).toBeString()
  expect(await jobsOf(delivery?.id)).toBe(2)
  await endpoint.remove()
})

test('PLT-20 webhooks: delivery waits while identity is unavailable, without using up an attempt, and another error is thrown', async () => {
  const endpoint = await newEndpoint()
  await emit()
  const [delivery] = await endpoint.deliveries()
  const identity = (error: Error) => ({
    ...world.provided,
    identity: { ...world.provided.identity, isSuspended: () => Promise.reject(error) },
  })
  await expect(deliver(endpoint.id, new Date(), identity(new TypeError('a bug')))).rejects.toThrow('a bug')
  expect((await endpoint.deliveries())[0]).toEqual(delivery)
  const away = identity(new Problem(503, 'identity_unavailable', 'Identity is away.'))
  await deliver(endpoint.id, new Date(), away)
  expect((await endpoint.deliveries())[0]).toMatchObject({ state: 'waiting', attempts: 0, nextAttemptAt: null })
  await resumeAll(away)
  expect(await resumptionsOf(endpoint.id)).toBe(0)
  await resumeAll()
  expect(await resumptionsOf(endpoint.id)).toBe(1)
  await resume(endpoint.id)
  expect(await jobsOf(delivery?.id)).toBe(2)
  await endpoint.remove()
})

test('PLT-20 PLT-30 webhooks: a delivery whose job ran out of retries is held and resumed later', async () => {
  const endpoint = await newEndpoint()
  await emit()
  const [delivery] = await endpoint.deliveries()
  const input = { id: delivery?.id ?? '', round: 1, organizationId: world.ada.things.organizations }
  await deliverWebhook.onRetriesExhausted?.({
    ...world.provided,
    input,
    database: world.database,
    now: () => new Date(),
  })
  expect((await endpoint.deliveries())[0]).toMatchObject({ state: 'waiting', attempts: 0, nextAttemptAt: null })
  await resumeAll()
  expect(await resumptionsOf(endpoint.id)).toBe(1)
  await endpoint.remove()
})

test('PLT-38 webhooks: the deliveries of a suspended organization wait until the suspension is lifted', async () => {
  const { id } = await world.mallory.fetchJson<Endpoint>(
    'POST /api/webhooks',
    { name: 'Hook', url: `${address}/suspended`, events: ['post.published'] },
    201,
  )
  const organization = world.mallory.things.organizations
  const sent = () => received.filter(({ path }) => path === '/suspended').length
  await world.database.transaction((tx) =>
    emitWebhook(tx, clock(), { organizationId: organization, event: published, data }),
  )
  await world.database.sql`
    INSERT INTO identity.suspensions (id, organization_id, reason, suspended_at)
    VALUES (gen_random_uuid(), ${organization}, 'For a test.', now())`
  await deliver(id)
  const rows = () => world.database.sql`
    SELECT state, attempts FROM platform.webhook_deliveries WHERE endpoint_id = ${id}`
  expect([...(await rows())]).toEqual([{ state: 'waiting', attempts: 0 }])
  expect(sent()).toBe(0)
  await resumeAll()
  expect(await resumptionsOf(id)).toBe(0)
  await world.database.sql`DELETE FROM identity.suspensions WHERE organization_id = ${organization}`
  const isResumed = async () => {
    await resumeAll()
    return (await resumptionsOf(id)) === 1
  }
  expect(await eventually(isResumed, 20_000)).toBe(true) // Responses of identity are cached for two seconds.
  await resume(id, organization)
  await deliver(id)
  expect(sent()).toBe(1)
  await world.mallory.fetchJson(`DELETE /api/webhooks/${id}`, undefined, 204)
})

test('webhooks: an attempt that finishes after a replay does not settle the replay', async () => {
  const endpoint = await newEndpoint()
  await emit()
  const [delivery] = await endpoint.deliveries()
  const at = `${endpoint.at}/deliveries/${delivery?.id}`
  answers.set(endpoint.path, async () => {
    answers.delete(endpoint.path)
    await world.ada.fetchJson(`POST ${at}/replay`)
    return new Response(null, { status: 500 })
  })
  await deliver(endpoint.id)
  expect(await endpoint.read(delivery?.id ?? '')).toMatchObject({ state: 'waiting', attempts: 0, log: [] })
  await deliver(endpoint.id)
  expect(await endpoint.read(delivery?.id ?? '')).toMatchObject({ state: 'delivered', attempts: 1 })
  await endpoint.remove()
})

test('webhooks: after a rotation, events are signed with both secrets until the overlap ends, then only with the new one', async () => {
  const endpoint = await newEndpoint()
  const { secret = '', previousSecretEndsAt } = await world.ada.fetchJson<Endpoint>(
    `POST ${endpoint.at}/rotate-secret`,
    { overlapHours: 2 },
    201,
  )
  expect(secret).toStartWith('whsec_')
  expect(secret).not.toBe(endpoint.secret)
  await emit()
  await deliver(endpoint.id)
  const [both] = endpoint.received()
  for (const each of [secret, endpoint.secret])
    expect(new Webhook(each).verify(both?.body ?? '', both?.headers ?? {})).toMatchObject({ type: 'post.published' })
  await emit()
  await deliver(endpoint.id, new Date(Date.parse(previousSecretEndsAt ?? '')))
  expect(endpoint.received()[1]?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
  // A second rotation would end the promised overlap early.
  const overlapping = await world.ada.fetchJson<Refusal>(`POST ${endpoint.at}/rotate-secret`, { overlapHours: 1 }, 409)
  expect(overlapping.code).toBe('secret_overlap')
  expect((await world.ada.fetchJson<Endpoint>(`GET ${endpoint.at}`)).previousSecretEndsAt).toBe(previousSecretEndsAt)
  await world.ada.fetchJson(`POST ${endpoint.at}/rotate-secret`, { overlapHours: 0 }, 201)
  await emit()
  await deliver(endpoint.id)
  const last = endpoint.received()[2]
  expect(last?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
  expect(() => new Webhook(secret).verify(last?.body ?? '', last?.headers ?? {})).toThrow()
  const rows = await world.database.sql<{ row: string }[]>`
    SELECT e::text AS row FROM platform.webhook_endpoints e WHERE id = ${endpoint.id}`
  for (const text of [secret, endpoint.secret]) expect(rows[0]?.row).not.toContain(text.slice(6))
  const shown = JSON.stringify([
    await world.ada.fetchJson(`GET ${endpoint.at}`),
    await world.ada.fetchJson('GET /api/webhooks'),
  ])
  expect(shown).not.toContain('whsec_')
  await endpoint.remove()
})

test('webhooks: an update based on an outdated version returns 409 and changes nothing', async () => {
  const endpoint = await newEndpoint()
  const etagOf = async (answer: Promise<Response>) => (await answer).headers.get('etag') ?? ''
  const patch = (name: string, more: object, headers: Record<string, string> = {}) =>
    world.ada.fetch(`PATCH ${endpoint.at}`, { name, ...more }, headers)
  const first = await etagOf(world.ada.fetch(`GET ${endpoint.at}`))
  expect(first).toBe('"1"')
  expect(await etagOf(patch('Theirs', {}, { 'if-match': first }))).toBe('"2"')
  for (const refused of [await patch('Mine', {}, { 'if-match': first }), await patch('Mine', { version: 1 })]) {
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({ code: 'version_conflict', current: { version: 2 } })
  }
  expect(await world.ada.fetchJson<Endpoint>(`GET ${endpoint.at}`)).toMatchObject({ name: 'Theirs', version: 2 })
  expect((await patch('Mine', { version: 2 })).status).toBe(200)
  expect((await patch('Any', {})).status).toBe(200)
  await endpoint.remove()
})

test('webhooks: redirects are not followed, and private addresses are rejected, including by name', async () => {
  const endpoint = await newEndpoint()
  const elsewhere = `${address.replace('127.0.0.1', 'localhost')}/elsewhere`
  answers.set(endpoint.path, () => Response.redirect(elsewhere, 307))
  await emit()
  await deliver(endpoint.id)
  expect(received.filter(({ path }) => path === '/elsewhere')).toEqual([])
  const [delivery] = await endpoint.deliveries()
  expect(delivery).toMatchObject({ state: 'waiting', attempts: 1, lastStatus: 307 })
  expect((await endpoint.read(delivery?.id ?? '')).log[0]).toMatchObject({
    status: 307,
    problem: 'The URL redirects, and redirects aren’t followed. Enter the URL that it redirects to.',
  })
  const guarded = createOutbound({ allowPrivate: false, resolve: async () => ['127.0.0.1'] })
  await world.database.sql`
    UPDATE platform.webhook_endpoints SET url = 'https://hooks.example.com/in' WHERE id = ${endpoint.id}`
  await deliver(endpoint.id, new Date(), { ...world.provided, outbound: guarded })
  const { log } = await endpoint.read(delivery?.id ?? '')
  expect(log[0]?.problem).toBe('hooks.example.com was not found on the public internet.')
  await endpoint.remove()
})

test('webhooks: a forbidden URL is rejected with an error on its field, before anything is stored', async () => {
  const closed = await openWorld({ env: { ALLOW_PRIVATE_NETWORK: 'false' } })
  try {
    const refused = [
      'hooks',
      'http://shop.example.com/in',
      'https://127.0.0.1/in',
      'https://[::1]/in',
      'https://169.254.169.254/latest',
      'https://localhost/in',
      'https://ada:secret@shop.example.com/in',
      'https://shop.example.com:22/in',
      'ftp://shop.example.com/in',
    ]
    for (const url of refused) {
      const draft = { name: 'Hook', url, events: ['post.published'] }
      const problem = await closed.ada.fetchJson<Refusal>('POST /api/webhooks', draft, 422)
      expect(problem.errors?.[0]?.path, url).toBe('url')
    }
    const empty = { name: 'Hook', url: 'http://shop.example.com/in', events: [] }
    const { errors } = await closed.ada.fetchJson<Refusal>('POST /api/webhooks', empty, 422)
    expect(errors).toEqual([
      { path: 'url', message: 'Must start with https://.' },
      { path: 'events', message: 'Choose at least one event.' },
    ])
    const { items } = await closed.ada.fetchJson<{ items: Endpoint[] }>('GET /api/webhooks')
    expect(items).toHaveLength(1)
  } finally {
    await closed.close()
  }
})

test('webhooks: events require their service’s read permission; unknown ones are rejected by index', async () => {
  const draft = { name: 'Hook', url: `${address}/hook`, events: ['post.failed', 'post.imagined'] }
  const unknown = await world.ada.fetchJson<Refusal>('POST /api/webhooks', draft, 422)
  expect(unknown.errors?.[0]?.path).toBe('events.1')
  const anna = await world.join(world.ada, { name: 'Anna', role: 'admin' })
  const { id } = await anna.fetchJson<Endpoint>('POST /api/webhooks', { ...draft, events: ['post.failed'] }, 201)
  const sent = await world.ada.fetchJson<Delivery>(`POST /api/webhooks/${id}/test`, {}, 201)
  await world.ada.fetchJson(
    `POST /api/organizations/${organizationId()}/members/${anna.id}/overrides`,
    { permission: `${world.serviceId}.posts:read`, effect: 'deny' },
    201,
  )
  const refused = [
    await anna.fetchJson<Refusal>('POST /api/webhooks', { ...draft, events: ['post.failed'] }, 403),
    await anna.fetchJson<Refusal>(`PATCH /api/webhooks/${id}`, { url: `${address}/elsewhere` }, 403),
  ]
  expect(refused.map(({ permission }) => permission)).toEqual(['posts:read', 'posts:read'])
  const { items } = await anna.fetchJson<{ items: { type: string; can: { subscribe: boolean } }[] }>(
    'GET /api/webhook-events',
  )
  const offered = items.filter(({ can }) => can.subscribe).map(({ type }) => type)
  expect(offered).toContain('connection.needs_attention')
  expect(offered).not.toContain('post.failed')
  await anna.fetchJson(`GET /api/webhooks/${id}/deliveries/${sent.id}`)
  await world.database.sql`UPDATE platform.webhook_messages SET type = 'post.failed' WHERE id = ${sent.messageId}`
  await anna.fetchJson(`GET /api/webhooks/${id}/deliveries/${sent.id}`, undefined, 403)
  const replayed = await anna.fetchJson<Refusal>(`POST /api/webhooks/${id}/deliveries/${sent.id}/replay`, {}, 403)
  expect(replayed.permission).toBe('posts:read')
  // Waiting deliveries don't go to another URL either, though their event is no longer subscribed.
  await world.ada.fetchJson(`PATCH /api/webhooks/${id}`, { events: ['connection.needs_attention'] })
  await anna.fetchJson(`PATCH /api/webhooks/${id}`, { url: `${address}/elsewhere` }, 403)
  await world.ada.fetchJson(`PATCH /api/webhooks/${id}`, { events: ['post.failed'] })
  for (const change of [{ name: 'Renamed' }, { state: 'paused' }])
    await anna.fetchJson(`PATCH /api/webhooks/${id}`, change)
  const enabling = await anna.fetchJson<Refusal>(`PATCH /api/webhooks/${id}`, { state: 'enabled' }, 403)
  expect(enabling.permission).toBe('posts:read')
  await world.ada.fetchJson(`DELETE /api/webhooks/${id}`, undefined, 204)
})

test('webhooks: webhook with an event from an earlier release can be renamed, paused, enabled and moved', async () => {
  const endpoint = await newEndpoint()
  await world.database.sql`
    UPDATE platform.webhook_endpoints SET events = '{post.published,post.archived}' WHERE id = ${endpoint.id}`
  for (const change of [{ name: 'Renamed' }, { state: 'paused' }, { state: 'enabled' }, { url: `${address}/moved` }])
    await world.ada.fetchJson(`PATCH ${endpoint.at}`, change)
  const { errors } = await world.ada.fetchJson<Refusal>(
    `PATCH ${endpoint.at}`,
    { events: ['post.published', 'post.archived'] },
    422,
  )
  expect(errors?.[0]?.path).toBe('events.1')
  await endpoint.remove()
})

test('webhooks: organization can have at most 20, even when they are created at the same time', async () => {
  const draft = { name: 'Hook', url: `${address}/many`, events: ['post.failed'] }
  const answered = await Promise.all(
    Array.from({ length: 25 }, () => world.mallory.fetch('POST /api/webhooks', draft).then(({ status }) => status)),
  )
  expect(answered.filter((status) => status === 201)).toHaveLength(19)
  expect(answered.filter((status) => status === 409)).toHaveLength(6)
})

test('webhooks: an event of another organization is not sent to this one', async () => {
  const endpoint = await newEndpoint()
  await world.database.transaction((tx) =>
    emitWebhook(tx, clock(), { organizationId: world.mallory.things.organizations, event: published, data }),
  )
  expect(await endpoint.deliveries()).toEqual([])
  await endpoint.remove()
})

test('webhooks: messages are deleted after 30 days', async () => {
  const endpoint = await newEndpoint()
  await emit()
  await deliver(endpoint.id)
  const later = new Date(Date.now() + 31 * 24 * 60 * 60 * 1000)
  await deleteExpired.run({ ...world.provided, input: {}, database: world.database, now: () => new Date() })
  expect(await endpoint.deliveries()).toHaveLength(1)
  await deleteExpired.run({ ...world.provided, input: {}, database: world.database, now: () => later })
  expect(await endpoint.deliveries()).toEqual([])
  await endpoint.remove()
})

test('webhooks: thousands of deliveries are deleted in batches: with their webhook, by age, and with their organization', async () => {
  const [endpoint, forgotten, erased] = [await newEndpoint(), await newEndpoint(), await newEndpoint()]
  const { sql, db } = world.database
  await sql`CREATE TABLE public.deletions (of text, count int)`
  await sql.unsafe(`
    CREATE FUNCTION public.note_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO public.deletions SELECT TG_TABLE_NAME, count(*) FROM gone; RETURN NULL; END $$`)
  for (const table of ['webhook_messages', 'webhook_deliveries'])
    await sql.unsafe(`CREATE TRIGGER note AFTER DELETE ON platform.${table} REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION public.note_deletion()`)
  const fill = async (id: string, days: number) => {
    const at = new Date(Date.now() - days * 24 * 60 * 60 * 1000)
    await sql`
      WITH sent AS (
        INSERT INTO platform.webhook_messages (id, organization_id, type, body, created_at)
        SELECT gen_random_uuid(), ${organizationId()}, 'post.failed', '{}', ${at} FROM generate_series(1, 2100) RETURNING id)
      INSERT INTO platform.webhook_deliveries (id, message_id, endpoint_id, state, next_attempt_at, created_at)
      SELECT gen_random_uuid(), id, ${id}, 'waiting', ${at}, ${at} FROM sent`
  }
  const largest = async (of: string) => {
    const [row] = await sql<{ all: number; most: number }[]>`
      WITH told AS (DELETE FROM public.deletions RETURNING *)
      SELECT coalesce(sum(count), 0)::int AS all, max(count) AS most FROM told WHERE of = ${of}`
    return row
  }
  try {
    await fill(endpoint.id, 1)
    await endpoint.remove()
    expect(await largest('webhook_deliveries')).toEqual({ all: 2100, most: 2000 })
    await fill(forgotten.id, 31)
    await deleteExpired.run({ ...world.provided, input: {}, database: world.database, now: () => new Date() })
    expect(await largest('webhook_messages')).toEqual({ all: 2100, most: 2000 })
    await fill(erased.id, 1)
    await deleteRows(
      db,
      ownData.filter(({ table }) => table === webhookMessages),
      'organization',
      organizationId(),
    )
    expect(await largest('webhook_messages')).toMatchObject({ most: 2000 })
    const left = await sql`SELECT FROM platform.webhook_messages WHERE organization_id = ${organizationId()}`
    expect(left).toHaveLength(0)
  } finally {
    await sql`DROP FUNCTION public.note_deletion() CASCADE`
    await sql`DROP TABLE public.deletions`
  }
  await Promise.all([forgotten.remove(), erased.remove()])
})

test('webhooks: /openapi.json describes the events', async () => {
  const { webhooks } = await world.stranger.fetchJson<OpenApiDocument>('GET /openapi.json')
  expect(Object.keys(webhooks)).toEqual([
    'key.created',
    'key.revoked',
    'app.installed',
    'app.uninstalled',
    'member.joined',
    'post.published',
    'post.failed',
    'post.comment_published',
    'post.comment_failed',
    'post.corrected',
    'post.correction_failed',
    'connection.needs_attention',
    'review.requested',
    'review.decided',
    'budget.warning',
    'budget.ended',
    'sender_domain.verified',
    'sender_domain.failing',
    'sender.paused',
    'mail.sent',
    'mail.delivered',
    'mail.bounced',
    'mail.complained',
    'mail.failed',
    'order.updated',
    'refund.updated',
    'dispute.opened',
    'dispute.updated',
    'payment.failed',
    'settlement.updated',
    'invoice.issued',
    'invoice.updated',
    'credit_note.issued',
    'customer.created',
    'customer.updated',
    'customer.erased',
    'action.raised',
    'action.resolved',
    'action.reopened',
    'action.assigned',
    'workflow_run.failed',
    'subscription.updated',
    'seats.mismatch',
  ])
  const { items } = await world.ada.fetchJson<{ items: { type: string }[] }>('GET /api/webhook-events')
  expect(items.map(({ type }) => type)).toEqual(Object.keys(webhooks))
  expect(JSON.stringify(webhooks['post.published'])).toContain('permalink')
})

test('webhooks: changes are in the audit log without the secret', async () => {
  const endpoint = await newEndpoint()
  await world.ada.fetchJson(`PATCH ${endpoint.at}`, { name: 'Renamed' })
  await endpoint.remove()
  const rows = await world.database.sql<{ operation: string; row: string }[]>`
    SELECT operation, a::text AS row FROM platform.audit_log a WHERE object_id = ${endpoint.id} ORDER BY at, id`
  expect(rows.map(({ operation }) => operation)).toEqual(['createWebhook', 'updateWebhook', 'deleteWebhook'])
  for (const { row } of rows) expect(row).not.toContain('whsec_')
})

test('webhooks: admin adds a webhook in the browser, sees its secret once, and sees its deliveries and their responses', async () => {
  const { cookie } = await world.ada.signIn()
  const browser = { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' }
  const show = async (route: string, body?: unknown, headers = {}) => {
    const answer = await world.stranger.fetch(route, body, { ...browser, ...headers })
    return { status: answer.status, html: await answer.text(), location: answer.headers.get('location') }
  }
  const form = 'application/x-www-form-urlencoded'
  const draft = new URLSearchParams({ name: 'From a form', url: `${address}/form`, 'events[]': 'post.failed' })
  const adding = { 'content-type': form, 'hx-request': 'true' }
  const refused = await show('POST /api/webhooks', 'name=Hook&url=nowhere&events[]=post.failed', adding)
  expect(refused).toMatchObject({ status: 422, html: expect.stringContaining('url') })
  const chosen = 'data-field="events">Choose at least one event.</li>'
  const without = `name=Hook&url=${encodeURIComponent(`${address}/form`)}`
  expect((await show('POST /api/webhooks', without, adding)).html).toContain(chosen)
  const { html, status } = await show('POST /api/webhooks', draft.toString(), adding)
  expect(status).toBe(201)
  expect(html).toMatch(/whsec_[\w+/]{43}=/)
  const id = /settings\/webhooks\/([\w-]{36})/.exec(html)?.[1] ?? ''
  answers.set('/form', () => new Response('<b>Broken</b>', { status: 500 }))
  await world.ada.fetchJson(`POST /api/webhooks/${id}/test`, {}, 201)
  await deliver(id)
  const list = await show('GET /settings/webhooks')
  expect(list.html).toContain('From a form')
  expect(list.html).toContain('<span>Failing</span>')
  expect(await world.ada.fetchJson(`GET /api/webhooks/${id}`)).toMatchObject({
    failing: true,
    previousSecretEndsAt: null,
  })
  expect(list.html).not.toContain('whsec_')
  const whole = await show(`GET /settings/webhooks/${id}`)
  // As the page's form sends it when every event is unticked.
  const fields = [...whole.html.matchAll(/<input type="hidden" name="(events\[\])" value=""/g)].map(([, name]) => name)
  const unticked = new URLSearchParams([['name', 'From a form'], ...fields.map((name) => [name ?? '', ''])])
  const unchanged = await show(`PATCH /api/webhooks/${id}`, unticked.toString(), adding)
  expect(unchanged).toMatchObject({ status: 422, html: expect.stringContaining(chosen) })
  expect(await world.ada.fetchJson<Endpoint>(`GET /api/webhooks/${id}`)).toMatchObject({ events: ['post.failed'] })
  const delivery = /delivery=([\w-]{36})/.exec(whole.html)?.[1] ?? ''
  const one = await show(`GET /settings/webhooks/${id}?delivery=${delivery}`)
  expect(one.html).toContain('<strong>500')
  expect(one.html).toContain('&lt;b&gt;Broken')
  expect(one.html).toMatch(/\{\n {2}&quot;type/)
  expect(one.html).toMatch(/<details class="fold" open>/)
  expect(one.html).toMatch(/<copy-text>.*Copy request body.*<pre class="payload".*<\/copy-text>/s)
  expect(one.html).toContain('<span>Retrying</span>')
  const link = `/settings/webhooks/${id}?delivery=${delivery}`
  expect((await show(`GET /settings/webhooks/${id}?state=waiting`)).html).toContain(link)
  expect((await show(`GET /settings/webhooks/${id}?state=delivered`)).html).not.toContain(link)
  // PLT-06 the parts of the page refresh and filter at the addresses of their operations.
  const deliveries = `/api/webhooks/${id}/deliveries`
  for (const part of [`/api/webhooks/${id}`, `${deliveries}?limit=50`])
    expect(one.html).toContain(`hx-get="${part}" data-live="webhook:${id}"`)
  expect(one.html).toMatch(new RegExp(`hx-get="${deliveries}\\?state=failed&amp;limit=50" hx-target="#delivery-list"`))
  const fromPage = { 'hx-request': 'true', 'hx-current-url': `http://atrium.test${link}` }
  const refreshed = await show(`GET ${deliveries}?limit=50`, undefined, fromPage)
  expect(one.html.replaceAll(/ hx-nonce="[^"]*"/g, '')).toContain(refreshed.html.replaceAll(/ hx-nonce="[^"]*"/g, ''))
  expect(refreshed.html).toContain('aria-current="true"')
  expect(whole.html).not.toContain('both earlier secrets')
  await world.ada.fetchJson(`POST /api/webhooks/${id}/rotate-secret`, { overlapHours: 1 }, 201)
  expect((await show(`GET /settings/webhooks/${id}`)).html).toContain('both earlier secrets')
  const paused = await show(`PATCH /api/webhooks/${id}`, { state: 'paused' }, { 'hx-request': 'true' })
  expect(paused.html).toStartWith('<div id="webhook-settings"')
  expect(paused.html).toContain('<span>Paused</span>')
  const held = await world.ada.fetchJson<Delivery>(`GET /api/webhooks/${id}/deliveries/${delivery}`)
  expect(held).toMatchObject({ can: { replay: false } })
  await world.ada.fetchJson(`PATCH /api/webhooks/${id}`, { state: 'enabled' })
  // The page scrolls to the new attempt.
  const replayed = await show(`POST /api/webhooks/${id}/deliveries/${delivery}/replay`)
  expect(replayed).toMatchObject({ status: 303, location: `/settings/webhooks/${id}?delivery=${delivery}` })
  expect((await show(`GET /settings/webhooks/${world.mallory.things.webhooks}`)).status).toBe(404)
  const vera = await world.vera.signIn()
  expect((await show('GET /settings/webhooks', undefined, { cookie: vera.cookie })).status).toBe(403)
  await world.ada.fetchJson(`DELETE /api/webhooks/${id}`, undefined, 204)
})

test('webhooks: an endpoint whose last attempt took 2 s uses a separate queue until it responds faster', async () => {
  const endpoint = await newEndpoint()
  const queues = async () => {
    const jobs = await world.database.sql<{ name: string }[]>`
      SELECT name FROM pgboss.job WHERE data->>'id' IN (
        SELECT id::text FROM platform.webhook_deliveries WHERE endpoint_id = ${endpoint.id} AND state = 'waiting')
      ORDER BY created_on`
    return jobs.map(({ name }) => name)
  }
  const [quick, slow] = [deliverWebhook.name, deliverSlowWebhook.name]
  await emit()
  await emit()
  const [second, first] = await endpoint.deliveries()
  const run = (job: typeof deliverWebhook, id = '') =>
    job.run({
      ...world.provided,
      input: { id, round: 1, organizationId: organizationId() },
      database: world.database,
      now: () => new Date(),
    })
  answers.set(endpoint.path, async () => {
    await Bun.sleep(2_050)
    return new Response('At last')
  })
  await run(deliverWebhook, first?.id)
  expect(await queues()).toEqual([quick])
  await run(deliverWebhook, second?.id)
  expect(endpoint.received()).toHaveLength(1)
  expect(await queues()).toEqual([quick, slow])
  answers.set(endpoint.path, () => new Response(null, { status: 503 }))
  await run(deliverSlowWebhook, second?.id)
  expect(endpoint.received()).toHaveLength(2)
  expect(await queues()).toEqual([quick, slow, quick])
  // A refused connection doesn't end the slow state of an endpoint.
  await world.database.sql`
    UPDATE platform.webhook_endpoints SET slow = true, url = 'http://127.0.0.1:1/' WHERE id = ${endpoint.id}`
  await run(deliverSlowWebhook, second?.id)
  expect(await queues()).toEqual([quick, slow, quick, slow])
  await endpoint.remove()
})

test('webhooks: a test event is rejected until the previous one has been attempted', async () => {
  const endpoint = await newEndpoint()
  await world.ada.fetchJson(`POST ${endpoint.at}/test`, {}, 201)
  expect((await world.ada.fetchJson<Refusal>(`POST ${endpoint.at}/test`, {}, 409)).code).toBe('test_waiting')
  answers.set(endpoint.path, () => new Response(null, { status: 503 }))
  await deliver(endpoint.id)
  await world.ada.fetchJson(`POST ${endpoint.at}/test`, {}, 201)
  await endpoint.remove()
})

test('webhooks: organizations with endpoints that never respond don’t delay others', async () => {
  const over = Promise.withResolvers<undefined>()
  const organizationWith = async (path: string): Promise<string | undefined> => {
    const name = path.replaceAll(/\W/g, '')
    const { accessToken, organization } = await signUp(world.handle, { name, organizationName: name })
    const draft = { name: 'Hook', url: `${address}${path}`, events: ['post.published'] }
    await callerOf(world.handle, bearer(accessToken)).fetchJson('POST /api/webhooks', draft, 201)
    return organization?.id
  }
  const third = await organizationWith('/third')
  for (const path of ['/hangs-1', '/hangs-2']) {
    answers.set(path, async () => {
      await over.promise
      return new Response('Late')
    })
    const organization = await organizationWith(path)
    for (let at = 0; at < 12; at++) await emit(organization)
  }
  const hanging = () => received.filter(({ path }) => path.startsWith('/hangs-')).length
  await world.provided.queue.work([deliverWebhook, deliverSlowWebhook], world.provided, () => new Date())
  expect(await eventually(() => hanging() >= 4)).toBe(true)
  await emit(third)
  expect(await eventually(() => received.some(({ path }) => path === '/third'), 30_000)).toBe(true)
  expect(hanging()).toBeLessThan(12)
  over.resolve(undefined)
})

test('incoming webhooks: super admins see, filter, open and replay received events on a page linked from Jobs', async () => {
  const visit = async (path: string) => {
    const answer = await world.root.fetch(`GET ${path}`, undefined, { accept: 'text/html' })
    return answer.status === 200 ? answer.text() : `${answer.status} ${answer.headers.get('location')}`
  }
  await world.database.sql`DELETE FROM platform.received_webhooks`
  expect(await visit('/admin/jobs')).toContain('0 waiting, 0 failed')
  const [failed, handled] = [crypto.randomUUID(), crypto.randomUUID()]
  await world.database.sql`SELECT pgboss.create_queue('notes.provider', '{"policy": "standard"}')`
  await world.database.sql`
    INSERT INTO platform.received_webhooks
      (id, webhook, path, event_id, type, params, body, state, problem, received_at, settled_at)
    VALUES
      (${failed}, 'notes.provider', '/webhooks/notes', 'evt_1', 'note.refused', '{}', '{"text":"<b>"}', 'failed', 'No <i> here', now(), now()),
      (${handled}, 'notes.other', '/webhooks/other', 'evt_2', NULL, '{}', 'plain', 'handled', NULL, now(), now())`
  expect(await visit('/admin/jobs')).toContain('0 waiting, 1 failed')
  const at = '/admin/jobs/webhooks'
  const all = await visit(at)
  for (const text of ['note.refused', 'No &lt;i&gt; here', 'evt_2', 'notes.other']) expect(all).toContain(text)
  expect(await visit(`${at}?state=failed`)).not.toContain('evt_2')
  expect(await visit(`${at}?webhook=notes.other`)).not.toContain('note.refused')
  expect(await visit(`${at}?webhook=none`)).toContain('No matching events')
  // PLT-12 a page's wrong cursor leads to the first page.
  expect(await visit(`${at}?state=failed&cursor=wrong`)).toBe(`303 ${at}?state=failed`)
  const opened = await visit(`${at}?event=${failed}`)
  for (const part of ['?limit=50', `/${failed}`, '?state=failed&amp;limit=50'])
    expect(opened).toContain(`hx-get="/api/admin/received-webhooks${part}"`)
  expect(await visit('/admin/jobs')).toContain('hx-get="/api/admin/received-webhooks?limit=1"')
  for (const text of ['Event note.refused', '/webhooks/notes', '&lt;b&gt;', 'Replay', 'aria-current="true"'])
    expect(opened).toContain(text)
  const replayed = await world.root.fetch(`POST /api/admin/received-webhooks/${failed}/replay`, undefined, {
    accept: 'text/html',
    'hx-request': 'true',
  })
  const fragment = await replayed.text()
  expect(fragment).toStartWith('<section class="section" id="opened-event"')
  expect(fragment).toContain('Waiting')
  const waiting = await visit(`${at}?event=${failed}`)
  expect(waiting).toContain('Waiting')
  expect(waiting).not.toContain('id="replay"')
  expect(await visit(`${at}?event=${crypto.randomUUID()}`)).toContain('Received webhooks')
  await world.database.sql`DELETE FROM platform.received_webhooks`
})

test('webhooks: the queue delivers emitted events', async () => {
  const endpoint = await newEndpoint()
  await emit()
  expect(await eventually(() => endpoint.received().length === 1, 20_000)).toBe(true)
})
