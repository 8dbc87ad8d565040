import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { createSecrets } from '#lib/secrets.ts'
import { openKernel, type Kernel } from './kernel.tsx'

const open = { permission: 'public', timeout: 500, input: z.object({}), output: z.object({}) } as const

/** Resolves with the reason once the signal of the running operation has aborted. */
let stopped: PromiseWithResolvers<unknown>
/** What an operation that ignores its signal waits for. */
let release: PromiseWithResolvers<void>
beforeEach(() => {
  stopped = Promise.withResolvers()
  release = Promise.withResolvers()
})

const read = operation({
  ...open,
  route: 'GET /api/slow',
  summary: 'Read slowly',
  run: async ({ signal }) => {
    signal.addEventListener('abort', () => stopped.resolve(signal.reason))
    await release.promise
    return {}
  },
})
const write = operation({
  ...open,
  route: 'POST /api/slow',
  summary: 'Write slowly',
  creates: true,
  run: async ({ db, request }) => {
    await db.execute(sql`INSERT INTO notes VALUES ('slow')`)
    if (!request.headers.has('x-quick')) await release.promise
    return {}
  },
})
const query = operation({
  ...open,
  route: 'POST /api/query',
  summary: 'Ask the database what takes long',
  run: async ({ db }) => {
    await db.execute(sql`SELECT pg_sleep(1)`).catch(() => {})
    stopped.resolve('the statement ended')
    return {}
  },
})
const send = operation({
  ...open,
  route: 'POST /api/send',
  summary: 'Call another server that is slow',
  creates: true,
  transaction: false,
  run: async ({ signal }) => {
    signal.addEventListener('abort', () => stopped.resolve(signal.reason))
    await release.promise
    return {}
  },
})

let kernel: Kernel
beforeAll(async () => {
  const provided = { secrets: createSecrets(new Uint8Array(32).fill(7)) } as never
  kernel = await openKernel({ operations: { read, write, query, send } }, { provided })
})
afterAll(() => kernel.close())

const json = { 'content-type': 'application/json' }
const post = (path: string, headers: Record<string, string> = {}) =>
  kernel.fetch(`POST ${path}`, { ...json, ...headers }, '{}')

test('operation over its timeout returns 503, and its signal aborts', async () => {
  const answer = await kernel.fetch('GET /api/slow')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await answer.json()).toMatchObject({
    code: 'operation_timed_out',
    detail: 'The request took longer than 0.5 s and was stopped. Nothing was changed. Try again.',
  })
  expect(await stopped.promise).toMatchObject({ code: 'operation_timed_out' })
  expect(kernel.lines.at(-2)).toMatchObject({ level: 'error', message: 'failed', path: '/api/slow' })
})

test('PLT-13 transaction over its timeout is rolled back, and its Idempotency-Key is free again', async () => {
  const key = { 'idempotency-key': 'slow-write' }
  expect((await post('/api/slow', key)).status).toBe(503)
  const again = await post('/api/slow', { ...key, 'x-quick': 'yes' })
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null])
  expect(await kernel.notes()).toEqual(['slow'])
})

test('timeout response is sent while the database still runs the statement', async () => {
  const first = await Promise.race([post('/api/query'), stopped.promise])
  expect(first).toMatchObject({ status: 503 })
})

test('PLT-13 timeout of an operation with outside calls returns 504, and its Idempotency-Key is reserved until the work ends', async () => {
  const key = { 'idempotency-key': 'slow-send' }
  const answer = await post('/api/send', key)
  expect([answer.status, (await answer.json()).detail]).toEqual([
    504,
    'The request took longer than 0.5 s and was stopped. Part of it may have been processed, so check before you retry.',
  ])
  await stopped.promise
  expect(await post('/api/send', key).then((second) => second.json())).toMatchObject({
    code: 'idempotency_in_progress',
  })
  release.resolve()
  let replay = await post('/api/send', key)
  while (replay.status === 409) replay = await post('/api/send', key)
  expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
})
