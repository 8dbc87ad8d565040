import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { auditedJobTransaction } from '#lib/audit.ts'
import { Problem, unauthorized } from '#lib/errors.ts'
import { deleteExpired } from '#lib/db/delete-expired.ts'
import { openEvents, type Events } from '#lib/events.ts'
import { createHandlingJob } from '#lib/incoming-webhooks/handle.ts'
import { receivedWebhookChanged } from '#lib/incoming-webhooks/publish-change.ts'
import {
  countReceivedOf,
  findMissing,
  findReceived,
  listReceived,
  replayReceived,
} from '#lib/incoming-webhooks/received.ts'
import { storeReceived } from '#lib/incoming-webhooks/store.ts'
import { newId } from '#lib/ids.ts'
import { createLog } from '#lib/log.ts'
import { openApiDocument } from '#lib/openapi.ts'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { openQueue, type Queue } from '#lib/queue.ts'
import { webhook, type EventOutcome } from '#lib/webhook.ts'
import { eventually } from '../boot/program.ts'
import { webhookRoutesOf } from '../operations/every.ts'
import { exhaustRetries } from '../support/exhaust-retries.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { contextOf, kernelOf } from './kernel.tsx'

const Note = z.object({ id: z.string(), type: z.string(), text: z.string() })
const signatureOf = (raw: string | Uint8Array) => new Bun.CryptoHasher('sha256', 'key').update(raw).digest('hex')
const mebibyte = 1024 * 1024
const organizationId = newId()

/** As Meta and Stripe do: a challenge by GET, and events signed over the raw body. */
const hook = webhook({
  name: 'notes.provider',
  path: '/webhooks/notes/:book',
  summary: 'A provider tells of notes',
  bodyLimit: 2 * mebibyte,
  verify: ({ raw, headers, params }) => {
    if (params.book === 'closed') throw new Problem(404, 'not_found', 'This book doesn’t exist.')
    if (headers.get('signature') !== signatureOf(raw)) throw unauthorized('The signature doesn’t match the body.')
    return Note.parse(JSON.parse(Buffer.from(raw).toString()))
  },
  challenge: ({ query, params }) => {
    if (query.get('token') !== `token of ${params.book}`) throw unauthorized('The token is another one.')
    return query.get('challenge') ?? ''
  },
  handle: async ({ raw, type, params }, { database: { db } }) => {
    const { text } = Note.parse(JSON.parse(Buffer.from(raw).toString()))
    await db.execute(sql`INSERT INTO notes VALUES (${`${params.book}: ${type} ${text}`})`)
  },
})
const plain = webhook({ ...hook, name: 'notes.plain', path: '/webhooks/plain', challenge: undefined })

let fresh: TestDatabase
let database: DatabaseHandle
let queue: Queue
let events: Events
let handle: ReturnType<typeof kernelOf>
const lines: string[] = []

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 4)
  await database.sql`CREATE TABLE notes (text text NOT NULL CHECK (text NOT LIKE '%refused%'))`
  queue = await openQueue(database, createLog('silent'))
  events = await openEvents(database)
  const log = createLog('error', false, (line) => void lines.push(line))
  handle = kernelOf([contextOf({ webhooks: [hook, plain] })], { database, log, provided: { queue, events } as never })
})
afterAll(async () => {
  await queue.stop(1_000)
  await events.close()
  await database.close()
  await fresh.drop()
})

const ask = (route: string, headers: Record<string, string> = {}, body?: string) => {
  const [method = 'GET', path = ''] = route.split(' ')
  return handle(new Request(`http://localhost${path}`, { method, headers, body }))
}
const note = (id: string, text: string) => `{ "type": "note.written",\n"id": "${id}", "text": "${text}" }`
const send = async (raw: string, book = 'blue', signature = signatureOf(raw)) => {
  const answer = await ask(`POST /webhooks/notes/${book}`, { signature, 'content-type': 'text/odd' }, raw)
  return { status: answer.status, body: await answer.json() }
}

const notes = async () => (await database.sql<{ text: string }[]>`SELECT text FROM notes`).map(({ text }) => text)
const stored = (id: string) =>
  database.sql<{ id: string; state: string; problem: string | null; path: string; body: Uint8Array }[]>`
    SELECT id, state, problem, path, body FROM platform.received_webhooks WHERE event_id = ${id} ORDER BY id`
const jobsOf = async (id: string) =>
  (await database.sql`SELECT 1 FROM pgboss.job WHERE name = ${hook.name} AND data->>'id' = ${id}`).length

const jobs = async () => (await database.sql`SELECT 1 FROM pgboss.job WHERE name = ${hook.name}`).length

const replay = (id: string) =>
  auditedJobTransaction(database, { operation: 'test', now: () => new Date() }, (tx) =>
    replayReceived({ db: tx, queue, events }, id),
  )

/** Runs the job of a stored event. */
const work = (id: string, round = 1) =>
  createHandlingJob(hook).run({ queue, events, database, input: { id, round }, now: () => new Date() } as never)

test('incoming webhooks: an event is stored with its raw bytes before the 200 response, and handled by a job', async () => {
  const raw = note('evt_1', 'Héllo')
  expect(await send(raw)).toEqual({ status: 200, body: { received: true, duplicate: false } })
  const [event] = await stored('evt_1')
  expect(event).toMatchObject({ state: 'waiting', path: '/webhooks/notes/blue' })
  expect(Buffer.from(event?.body ?? []).toString()).toBe(raw)
  expect(await notes()).toEqual([])
  expect(await jobsOf(event?.id ?? '')).toBe(1)
  await work(event?.id ?? '')
  expect(await notes()).toEqual(['blue: note.written Héllo'])
  expect((await stored('evt_1'))[0]).toMatchObject({ state: 'handled', problem: null })
})

test('incoming webhooks: a wrong signature over the raw body is rejected, and nothing is stored', async () => {
  const raw = note('evt_forged', 'Hello')
  expect(await send(`${raw} `, 'blue', signatureOf(raw))).toMatchObject({
    status: 401,
    body: { detail: 'The signature doesn’t match the body.' },
  })
  expect((await send(raw, 'closed')).status).toBe(404)
  expect(await stored('evt_forged')).toHaveLength(0)
})

test('incoming webhooks: a repeated event, even at the same time, is stored and enqueued once', async () => {
  const raw = note('evt_twice', 'Once')
  const before = await jobs()
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(raw)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1)
  const [event, ...others] = await stored('evt_twice')
  expect(others).toEqual([])
  expect(await jobsOf(event?.id ?? '')).toBe(1)
  expect(await jobs()).toBe(before + 1)
  expect((await send(raw, 'red')).body).toEqual({ received: true, duplicate: false })
})

test('incoming webhooks: a failed event is stored with its error, and handled again when an admin replays it', async () => {
  await send(note('evt_failing', 'refused'))
  const [event] = await stored('evt_failing')
  const id = event?.id ?? ''
  await expect(work(id)).rejects.toThrow()
  expect((await stored('evt_failing'))[0]).toMatchObject({ state: 'failed', problem: expect.any(String) })
  await database.sql`ALTER TABLE notes DROP CONSTRAINT notes_text_check`
  const { db } = database
  const failed = await listReceived(db, { webhook: hook.name, state: 'failed', limit: 10 })
  expect(failed.items.map(({ eventId }) => eventId)).toEqual(['evt_failing'])
  await replay(id)
  expect(await findReceived(db, id)).toMatchObject({ state: 'waiting', body: note('evt_failing', 'refused') })
  expect(await jobsOf(id)).toBe(2)
  await work(id, 2)
  expect(await notes()).toContain('blue: note.written refused')
})

test('incoming webhooks: a replayed event is handled once despite earlier retries, and can’t be replayed while it is being handled', async () => {
  await database.sql`ALTER TABLE notes ADD CONSTRAINT not_yet CHECK (text <> 'blue: note.written not yet')`
  await send(note('evt_replayed', 'not yet'))
  const [event] = await stored('evt_replayed')
  const id = event?.id ?? ''
  await expect(replay(id)).rejects.toThrow('being handled')
  await expect(work(id)).rejects.toThrow()
  await database.sql`ALTER TABLE notes DROP CONSTRAINT not_yet`
  await replay(id)
  await work(id)
  expect((await stored('evt_replayed'))[0]).toMatchObject({ state: 'waiting' })
  await work(id, 2)
  await work(id, 2)
  await work(id)
  expect((await notes()).filter((text) => text.endsWith('not yet'))).toHaveLength(1)
  await replay(id)
  await work(id, 3)
  expect((await notes()).filter((text) => text.endsWith('not yet'))).toHaveLength(2)
})

test('incoming webhooks: PLT-30 an event whose last attempt was killed is marked as failed, and can be replayed', async () => {
  await send(note('evt_killed', 'Again'))
  const [event] = await stored('evt_killed')
  const id = event?.id ?? ''
  await expect(replay(id)).rejects.toThrow('being handled')
  await exhaustRetries(createHandlingJob(hook), id, database, { queue } as never)
  expect((await stored('evt_killed'))[0]).toMatchObject({ state: 'failed', problem: expect.any(String) })
  await replay(id)
  await work(id, 2)
  expect((await stored('evt_killed'))[0]).toMatchObject({ state: 'handled' })
})

test('incoming webhooks: a GET returns its challenge, and is rejected without one', async () => {
  const requested = await ask('GET /webhooks/notes/blue?token=token+of+blue&challenge=1158201444')
  expect([requested.status, requested.headers.get('content-type'), await requested.text()]).toEqual([
    200,
    'text/plain; charset=utf-8',
    '1158201444',
  ])
  expect((await ask('GET /webhooks/notes/red?token=token+of+blue')).status).toBe(401)
  expect((await ask('GET /webhooks/plain')).status).toBe(405)
})

test('incoming webhooks: a body is accepted up to its webhook’s limit', async () => {
  const long = (bytes: number) => note('evt_long', 'x'.repeat(bytes))
  expect((await send(long(2 * mebibyte))).status).toBe(413)
  expect((await send(long(1.5 * mebibyte))).status).toBe(200)
})

test('incoming webhooks: an id or path that is too long to store is rejected', async () => {
  expect(await send(note('x'.repeat(300), 'Hello'))).toMatchObject({ status: 422 })
  expect(await send(note('evt_path', 'Hello'), 'b'.repeat(2_000))).toMatchObject({ status: 422 })
})

test('incoming webhooks: a signed body that verify can’t parse returns 400 or 422 with its fields, never 500', async () => {
  for (const raw of ['nope', '', '{"id":"evt_cut"', '\u00ef'])
    expect(await send(raw)).toMatchObject({ status: 400, body: { code: 'malformed' } })
  expect(await send('{"id":"evt_odd","type":7}')).toMatchObject({
    status: 422,
    body: {
      code: 'validation_failed',
      errors: [
        { path: 'type', message: 'Must be text.' },
        { path: 'text', message: 'Required.' },
      ],
    },
  })
  expect(await send('null')).toMatchObject({
    status: 422,
    body: { errors: [{ path: '', message: 'Must be an object.' }] },
  })
  // Also logged, since the cause can be an error in verify.
  expect(lines.filter((line) => line.includes('"webhook":"notes.provider"')).length).toBeGreaterThan(2)
  expect(await stored('evt_odd')).toHaveLength(0)
})

test('incoming webhooks: a repeated event is recognized regardless of how its path is spelled, and one with a zero byte is rejected', async () => {
  const raw = note('evt_spelled', 'Once')
  expect((await send(raw, 'blue')).body).toEqual({ received: true, duplicate: false })
  for (const spelling of ['bl%75e', '%62lue', 'blue/'])
    expect((await send(raw, spelling)).body).toEqual({ received: true, duplicate: true })
  const [event, ...others] = await stored('evt_spelled')
  expect([event?.path, others]).toEqual(['/webhooks/notes/blue', []])
  for (const broken of [send(note('evt_\\u0000', 'Hello')), send(note('evt_zero', 'Hello'), 'b%00')])
    expect(await broken).toMatchObject({ status: 422 })
})

test('incoming webhooks: an error is stored without unsupported characters, truncated to 500', async () => {
  await send(note('evt_verbose', 'Hello'))
  const [{ id } = { id: '' }] = await stored('evt_verbose')
  const refuse = () => Promise.reject(new Error(`Refused\0: ${'😀'.repeat(300)}`))
  const run = (input: object) =>
    createHandlingJob({ name: hook.name, handle: refuse }).run({
      queue,
      database,
      input,
      now: () => new Date(),
    } as never)
  await expect(run({ id, round: 1 })).rejects.toThrow('Refused')
  const [event] = await stored('evt_verbose')
  expect(event?.problem).toContain('Refused\uFFFD: 😀')
  expect(event?.problem?.length).toBeWithin(499, 501)
})

test('incoming webhooks: the queue handles received events, which are deleted after 90 days', async () => {
  await send(note('evt_queue', 'By the queue'))
  await queue.work([createHandlingJob(hook)], {} as never, () => new Date())
  expect(await eventually(async () => (await notes()).includes('blue: note.written By the queue'), 20_000)).toBe(true)
  const deleteAfter = (days: number) =>
    deleteExpired.run({ database, input: {}, now: () => new Date(Date.now() + days * 24 * 60 * 60_000) } as never)
  await deleteAfter(89)
  expect(await stored('evt_queue')).toHaveLength(1)
  await deleteAfter(91)
  expect(await stored('evt_queue')).toHaveLength(0)
})

test('incoming webhooks: /openapi.json describes the request and the challenge', () => {
  const { paths } = openApiDocument([contextOf({ webhooks: [hook] })], {
    info: { title: 'Test', version: '1' },
    url: '/',
    sessionCookie: 's',
  })
  expect(Object.keys(paths['/webhooks/notes/{book}'] ?? {}).toSorted()).toEqual(['get', 'post'])
  // What the generated tests expect of these paths.
  expect(webhookRoutesOf([{ webhooks: [hook, plain] }])).toEqual([
    'POST /webhooks/notes/:book',
    'GET /webhooks/notes/:book',
    'POST /webhooks/plain',
  ])
})

test('incoming webhooks: a handler can ignore an event, and name the organization that it belongs to', async () => {
  const outcomes: Record<string, EventOutcome> = { evt_ignored: { state: 'ignored' }, evt_owned: { organizationId } }
  const choosing = webhook({
    name: 'notes.choosing',
    path: '/webhooks/choosing',
    summary: 'Choose',
    verify: () => ({ id: 'evt_ignored' }),
    handle: async ({ eventId }) => outcomes[eventId],
  })
  const now = () => new Date()
  const published: unknown[] = []
  events.subscribe(
    receivedWebhookChanged.event,
    receivedWebhookChanged.payload,
    (change) => void published.push(change),
  )
  for (const id of Object.keys(outcomes)) {
    await database.transaction((tx) =>
      storeReceived(tx, { queue, events, now }, choosing, { id, raw: Buffer.from('{}') }),
    )
    const [event] = await stored(id)
    const input = { id: event?.id ?? '', round: 1 }
    for (let attempts = 0; attempts < 2; attempts++)
      await createHandlingJob(choosing).run({ queue, events, database, input, now } as never)
  }
  const { items } = await listReceived(database.db, { webhook: choosing.name, state: 'ignored', limit: 10 })
  expect(items).toMatchObject([{ eventId: 'evt_ignored', attempts: 1 }])
  const owner = { webhook: choosing.name, organizationId }
  expect(new Set(published.map((change) => JSON.stringify(change)))).toEqual(new Set([JSON.stringify(owner)]))
  const owned = await listReceived(database.db, { ...owner, limit: 10 })
  expect(owned.items).toMatchObject([{ eventId: 'evt_owned', state: 'handled' }])
  expect(await countReceivedOf(database.db, owner)).toMatchObject({ handled: 1, ignored: 0, duplicates: 0 })
  const [ignored] = await stored('evt_ignored')
  await expect(findReceived(database.db, ignored?.id ?? '', owner)).rejects.toMatchObject({ status: 404 })
})

test('incoming webhooks: an event that a job found is stored and handled like a delivered one, without counting as delivery', async () => {
  const raw = Buffer.from(note('evt_listed', 'Listed'))
  const event = { id: 'evt_listed', type: 'note.written', raw, params: { book: 'blue' }, isListed: true as const }
  const store = () =>
    database.transaction((tx) => storeReceived(tx, { queue, events, now: () => new Date() }, hook, event))
  expect([await store(), await store()]).toEqual([true, false])
  const duplicates = async () => {
    const { items } = await listReceived(database.db, { webhook: hook.name, limit: 100 })
    return items.find(({ eventId }) => eventId === 'evt_listed')?.duplicates
  }
  expect(await duplicates()).toBe(0)
  expect((await send(note('evt_listed', 'Listed'))).body).toMatchObject({ duplicate: true })
  expect(await duplicates()).toBe(1)
  expect(await findMissing(database.db, '/webhooks/notes/blue', ['evt_listed', 'evt_new'])).toEqual(
    new Set(['evt_new']),
  )
  const [row] = await stored('evt_listed')
  expect(await jobsOf(row?.id ?? '')).toBe(1)
})
