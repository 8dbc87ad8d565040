import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { conflict, Problem } from '#lib/errors.ts'
import { deleteExpired } from '#lib/db/delete-expired.ts'
import { runOnceWithReservation } from '#lib/idempotency.ts'
import { newId } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply, stream } from '#lib/reply.ts'
import { createSecrets } from '#lib/secrets.ts'
import { eventually } from '../boot/program.ts'
import { known, openKernel, type Kernel } from './kernel.tsx'

const write = (db: Database, text: string) => db.execute(sql`INSERT INTO notes VALUES (${text})`)

const making = {
  permission: 'signed-in',
  summary: 'Create a note',
  input: z.object({ text: z.string(), tags: z.array(z.string()).optional() }),
  output: z.object({ id: z.string(), text: z.string(), secret: z.string().optional() }),
  secrets: ['secret'],
  creates: true,
} as const

let gate = Promise.resolve()
async function made(db: Database, text: string) {
  await write(db, text)
  await gate
  if (text === 'conflict') throw conflict('note_taken', 'This note is taken.')
  if (text === 'crash') throw new Error('Broke off')
  if (text === 'timed out') throw new Problem(504, 'provider_timed_out', 'The provider didn’t respond.')
  if (text === 'unreached') throw new Problem(502, 'provider_away', 'Nothing was sent.', { nothingDone: true })
  const data = { id: newId(), text, secret: 'hunter2' }
  return reply(201, data, { headers: { ETag: '"1"' }, next: `/notes/${data.id}`, toast: 'Made' })
}

const makeNote = operation({
  ...making,
  route: 'POST /api/notes',
  run: ({ db, input: { text } }) => made(db, text),
})
const drawNote = operation({
  ...making,
  route: 'POST /api/drawn',
  run: async ({ db, input: { text } }) => {
    await write(db, text)
    return { id: newId(), text, secret: 'hunter2' }
  },
  view: ({ id, secret }) => <p id={id} data-secret={secret ?? 'none'} />,
})
const makeInSteps = operation({
  ...making,
  route: 'POST /api/steps',
  transaction: false,
  run: ({ db, input: { text } }) => made(db, text),
})
const streamNote = operation({
  ...making,
  route: 'POST /api/streams',
  transaction: false,
  run: async ({ db, input: { text } }) => {
    await write(db, text)
    return stream(new Blob([text]), 'text/plain')
  },
})
const complete = operation({
  permission: 'signed-in',
  route: 'POST /api/completions',
  summary: 'Complete a text',
  input: z.object({ text: z.string() }),
  output: z.null(),
  streams: 'text/plain',
  transaction: false,
  run: async ({ db, input: { text } }) => {
    await write(db, text)
    return stream(new Blob([text]), 'text/plain')
  },
})
const signUp = operation({
  ...making,
  permission: 'public',
  route: 'POST /sign-up',
  run: async ({ db, input: { text } }) => {
    await write(db, text)
    return { id: newId(), text }
  },
})
/** Of anyone who has the token in the URL. */
const byToken = operation({
  ...making,
  permission: 'public',
  route: 'POST /links/:token/notes',
  input: making.input.extend({ token: z.string() }),
  run: async ({ db, input: { text } }) => {
    await write(db, text)
    return { id: newId(), text }
  },
})

const clock = { ahead: 0 }
let kernel: Kernel
beforeAll(async () => {
  const operations = { makeNote, drawNote, makeInSteps, streamNote, complete, signUp, byToken }
  const secrets = createSecrets(new Uint8Array(32).fill(7))
  const now = () => new Date(Date.now() + clock.ahead)
  kernel = await openKernel({ operations }, { now, provided: { secrets } as never })
})
afterAll(() => kernel.close())

function send(path: string, body: unknown, key: string, headers: Record<string, string> = {}): Promise<Response> {
  const credential = path.startsWith('/api') ? known : {}
  const all = { ...credential, 'content-type': 'application/json', 'idempotency-key': key, ...headers }
  return kernel.fetch(`POST ${path}`, all, typeof body === 'string' ? body : JSON.stringify(body))
}

const reported = async (response: Response) => ({
  status: response.status,
  replayed: response.headers.get('idempotency-replayed'),
  body: (await response.json()) as { id: string; secret?: string; code?: string },
})
const count = async (text: string) => (await kernel.notes()).filter((note) => note === text).length

for (const path of ['/api/notes', '/api/steps']) {
  test(`PLT-13 ${path}: same key and body repeat the first response without its secrets, and do nothing`, async () => {
    const key = newId()
    const first = await send(path, { text: `once ${path}`, tags: ['a'] }, key)
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null])
    const { secret, ...rest } = (await first.json()) as Record<string, string>
    expect(secret).toBe('hunter2')
    // Order of fields and whitespace don't make a different request.
    const again = await send(path, `{ "tags":["a"],  "text":"once ${path}" }`, key)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    expect(again.headers.get('etag')).toBe('"1"')
    expect(await again.json()).toEqual(rest)
    expect(await count(`once ${path}`)).toBe(1)
  })

  test(`PLT-13 ${path}: same key with a different body returns 422, and the operation doesn’t run`, async () => {
    const key = newId()
    await send(path, { text: 'one' }, key)
    expect(await reported(await send(path, { text: `other ${path}` }, key))).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    })
    expect((await send(`${path}?tags[]=a`, { text: 'one' }, key)).status).toBe(422)
    expect(await count(`other ${path}`)).toBe(0)
  })

  test(`PLT-13 ${path}: of twenty simultaneous requests, one is executed and the others wait`, async () => {
    const key = newId()
    const text = `twenty ${path}`
    const open = Promise.withResolvers<undefined>()
    gate = open.promise
    const sent = Array.from({ length: 20 }, async () => {
      const answer = await reported(await send(path, { text }, key))
      if (answer.status === 409) open.resolve(undefined) // The first request continues after another one was refused.
      return answer
    })
    const answers = await Promise.all(sent)
    gate = Promise.resolve()
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(0)
    expect(statuses.every((status) => status === 201 || status === 409)).toBe(true)
    for (const { status, body } of answers) if (status === 409) expect(body.code).toBe('idempotency_in_progress')
    expect(new Set(answers.flatMap(({ body }) => body.id ?? [])).size).toBe(1)
    expect(await count(text)).toBe(1)
  })

  test(`PLT-13 ${path}: key can be used again after a rejected request and after 24 hours`, async () => {
    const key = newId()
    for (let time = 0; time < 2; time++)
      expect(await reported(await send(path, { text: 'conflict' }, key))).toMatchObject({ status: 409, replayed: null })
    expect((await send(path, { text: `now ${path}` }, key)).status).toBe(201)
    clock.ahead = 24 * 60 * 60 * 1000 + 1
    expect(await reported(await send(path, { text: `a day later ${path}` }, key))).toMatchObject({
      status: 201,
      replayed: null,
    })
    clock.ahead = 0
  })
}

test('PLT-13 key is free again when the single transaction fails', async () => {
  const key = newId()
  expect((await send('/api/notes', { text: 'crash' }, key)).status).toBe(500)
  expect(await count('crash')).toBe(0)
  expect((await send('/api/notes', { text: 'fine' }, key)).status).toBe(201)
})

test('PLT-13 key stays reserved when an operation with several transactions fails in between', async () => {
  const key = newId()
  expect((await send('/api/steps', { text: 'crash' }, key)).status).toBe(500)
  expect(await reported(await send('/api/steps', { text: 'crash' }, key))).toMatchObject({
    status: 409,
    body: { code: 'idempotency_in_progress', detail: expect.stringContaining('Check its result') },
  })
  expect(await count('crash')).toBe(1)
})

test('PLT-13 key stays reserved after a provider’s timeout, and no work is repeated', async () => {
  const key = newId()
  expect((await send('/api/steps', { text: 'timed out' }, key)).status).toBe(504)
  expect(await reported(await send('/api/steps', { text: 'timed out' }, key))).toMatchObject({
    status: 409,
    body: { code: 'idempotency_in_progress', detail: expect.stringContaining('Check its result') },
  })
  expect(await count('timed out')).toBe(1)
})

test('PLT-13 key is free again after a failure that is declared to have no effect', async () => {
  const key = newId()
  for (let time = 0; time < 2; time++) expect((await send('/api/steps', { text: 'unreached' }, key)).status).toBe(502)
})

/** The row that a killed process leaves in the middle of a request. */
async function abandon(key: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  gate = promise
  const running = send('/api/steps', { text: `abandoned ${key}` }, key)
  await eventually(async () => (await count(`abandoned ${key}`)) === 1)
  await kernel.database.sql`
    UPDATE platform.idempotency_keys SET owner = ${newId()}, lease_until = clock_timestamp() + interval '1 h'
    WHERE key = ${key}`
  gate = Promise.resolve()
  resolve(undefined)
  await running
}

test('PLT-13 key of a dead process stays reserved after its lease, and no work is repeated', async () => {
  const key = newId()
  await abandon(key)
  expect((await send('/api/steps', { text: `abandoned ${key}` }, key)).status).toBe(409)
  await kernel.database.sql`UPDATE platform.idempotency_keys SET lease_until = clock_timestamp() WHERE key = ${key}`
  expect((await send('/api/steps', { text: 'another' }, key)).status).toBe(422)
  for (let time = 0; time < 2; time++)
    expect(await reported(await send('/api/steps', { text: `abandoned ${key}` }, key))).toMatchObject({
      status: 409,
      body: { code: 'idempotency_in_progress', detail: expect.stringContaining('Check its result') },
    })
  expect(await count(`abandoned ${key}`)).toBe(1)
})

test('PLT-13 effect whose response could not be stored is not repeated after its lease', async () => {
  const { db, sql: raw } = kernel.database
  const once = { scope: 'test', key: newId(), fingerprint: 'same', secrets: [], now: new Date(), leaseMs: 1_000 }
  let effects = 0
  const run = async () => {
    effects += 1
    return { status: 201, result: { id: '1' }, options: {} }
  }
  // The database goes away after the effect: the response can't be stored.
  const away = new Proxy(db, {
    get: (target, name) => {
      if (name === 'update') throw Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' })
      return Reflect.get(target, name) as unknown
    },
  })
  await expect(runOnceWithReservation(away, once, run)).rejects.toThrow('CONNECTION_CLOSED')
  await raw`UPDATE platform.idempotency_keys SET lease_until = clock_timestamp() WHERE key = ${once.key}`
  await expect(runOnceWithReservation(db, once, run)).rejects.toThrow('Check its result')
  expect(effects).toBe(1)
})

test('PLT-13 request that lost its key to another one neither frees nor overwrites it', async () => {
  const key = newId()
  // The first request ends after its lease was taken over.
  await abandon(key)
  const [row] = await kernel.database.sql`SELECT state, status FROM platform.idempotency_keys WHERE key = ${key}`
  expect(row).toEqual({ state: 'running', status: null })
})

test('PLT-13 long request renews its lease and keeps its key', async () => {
  const { db, sql: raw } = kernel.database
  const once = { scope: 'test', key: newId(), fingerprint: 'same', secrets: [], now: new Date(), leaseMs: 1_000 }
  const done = { status: 201, result: { id: '1' }, options: {} }
  const { promise, resolve } = Promise.withResolvers<typeof done>()
  const first = runOnceWithReservation(db, once, () => promise)
  const leaseUntil = async (): Promise<Date | undefined> => {
    const [row] = await raw`SELECT lease_until::text AS until FROM platform.idempotency_keys WHERE key = ${once.key}`
    return row && new Date(row['until'])
  }
  expect(await eventually(async () => (await leaseUntil()) !== undefined)).toBe(true)
  const started = Number(await leaseUntil())
  expect(await eventually(async () => Number(await leaseUntil()) > started)).toBe(true)
  resolve(done)
  expect(await first).toBe(done)
  const again = await runOnceWithReservation(db, once, async () => done)
  expect(again).toMatchObject({ options: { headers: { 'Idempotency-Replayed': 'true' } } })
})

test('PLT-06 PLT-13 replay in a browser redirects to the same place, or renders the same view', async () => {
  const htmx = { 'hx-request': 'true' }
  const key = newId()
  const [first, again] = [
    await send('/api/notes', { text: 'seen' }, key, htmx),
    await send('/api/notes', { text: 'seen' }, key, htmx),
  ]
  expect(again.headers.get('hx-redirect')).toBe(first.headers.get('hx-redirect'))
  expect([again.headers.get('idempotency-replayed'), again.headers.get('hx-trigger')]).toEqual([
    'true',
    first.headers.get('hx-trigger'),
  ])
  const drawn = await (await send('/api/drawn', { text: 'drawn' }, `${key}d`, htmx)).text()
  const replayed = await (await send('/api/drawn', { text: 'drawn' }, `${key}d`, htmx)).text()
  expect(drawn).toContain('hunter2')
  expect(replayed).toBe(drawn.replace('hunter2', 'none'))
  expect(await count('drawn')).toBe(1)
})

test('PLT-13 streamed response is not stored', async () => {
  const key = newId()
  for (let time = 0; time < 2; time++) {
    const answer = await send('/api/streams', { text: 'streamed' }, key)
    expect([await answer.text(), answer.headers.get('idempotency-replayed')]).toEqual(['streamed', null])
  }
  expect(await count('streamed')).toBe(2)
})

test('PLT-13 Idempotency-Key is rejected by a streaming operation before it runs', async () => {
  const key = newId()
  const { status, body } = await reported(await send('/api/completions', { text: 'tokens' }, key))
  expect([status, body]).toMatchObject([422, { code: 'validation_failed', errors: [{ path: 'Idempotency-Key' }] }])
  expect(await count('tokens')).toBe(0)
  const headers = { ...known, 'content-type': 'application/json' }
  const answer = await kernel.fetch('POST /api/completions', headers, JSON.stringify({ text: 'tokens' }))
  expect([answer.status, await answer.text()]).toEqual([200, 'tokens'])
})

test('PLT-13 anonymous callers share one key space, separate from those of users', async () => {
  const key = newId()
  const { body } = await reported(await send('/sign-up', { text: 'secret words' }, key))
  expect(await reported(await send('/sign-up', { text: 'secret words' }, key))).toMatchObject({
    replayed: 'true',
    body,
  })
  expect((await send('/sign-up', { text: 'others' }, key)).status).toBe(422)
  expect((await send('/api/notes', { text: 'mine' }, key)).status).toBe(201)
})

test('PLT-13 anonymous callers with a token in the URL have the key space of the token', async () => {
  const key = newId()
  expect((await send('/links/one/notes', { text: 'from one' }, key)).status).toBe(201)
  expect((await send('/links/two/notes', { text: 'from two' }, key)).status).toBe(201)
  expect(await reported(await send('/links/one/notes', { text: 'from one' }, key))).toMatchObject({ replayed: 'true' })
  expect((await send('/links/one/notes', { text: 'others' }, key)).status).toBe(422)
})

test('PLT-13 key is 1 to 255 visible ASCII characters, and the header is optional', async () => {
  for (const key of ['a'.repeat(256), 'two words', 'tab\tbed', 'ümlaut', ''])
    expect(await reported(await send('/api/notes', { text: 'never' }, key))).toMatchObject({ status: 422 })
  expect((await send('/api/notes', { text: 'longest' }, 'a'.repeat(255))).status).toBe(201)
  expect(await count('never')).toBe(0)
})

test('PLT-13 stored responses contain neither secrets nor request bodies, and are deleted after 24 hours', async () => {
  const { sql: raw } = kernel.database
  await send('/sign-up', { text: 'correct horse battery' }, 'a-key')
  const kept = async () =>
    String((await raw`SELECT json_agg(k)::text AS text FROM platform.idempotency_keys k`)[0]?.['text'])
  expect(await kept()).toContain('a-key')
  expect(await kept()).not.toContain('hunter2')
  const later = () => new Date(Date.now() + 3 * 24 * 60 * 60 * 1000)
  await deleteExpired.run({ database: kernel.database, input: {}, now: later } as never)
  expect(await kept()).toBe('null')
})
