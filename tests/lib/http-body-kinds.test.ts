import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { listen, type Listener } from '#lib/http/listen.ts'
import { createLog } from '#lib/log.ts'
import { operation } from '#lib/operation.ts'
import { createSecrets } from '#lib/secrets.ts'
import { eventually } from '../boot/program.ts'
import { known, openKernel, type Kernel } from './kernel.tsx'

const mebibyte = 1024 * 1024
const digestOf = (bytes: Uint8Array | string) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

const takeBytes = operation({
  route: 'POST /api/bytes/:id',
  summary: 'Take bytes in memory',
  permission: 'signed-in',
  body: { as: 'bytes', limit: 2 * mebibyte, type: 'application/octet-stream' },
  creates: true,
  transaction: false,
  input: z.object({ id: z.string(), name: z.string().optional() }),
  output: z.object({ id: z.string(), name: z.string().optional(), bytes: z.int(), sha256: z.string() }),
  run: async ({ input, body }) => ({ ...input, bytes: body.byteLength, sha256: digestOf(body) }),
})

/** How much the streaming operation has read. */
let read = 0
/** Lets the streaming operation continue. */
let gate: Promise<void> = Promise.resolve()
const takeStream = operation({
  route: 'PUT /api/stream',
  summary: 'Take bytes as they arrive',
  permission: 'signed-in',
  body: { as: 'stream', limit: 64 * mebibyte },
  transaction: false,
  input: z.object({}),
  output: z.object({ bytes: z.int(), sha256: z.string() }),
  run: async ({ body }) => {
    const hasher = new Bun.CryptoHasher('sha256')
    read = 0
    for await (const chunk of body) {
      read += chunk.byteLength
      hasher.update(chunk)
      await gate
    }
    return { bytes: read, sha256: hasher.digest('hex') }
  },
})

let kernel: Kernel
let server: Listener
beforeAll(async () => {
  const secrets = createSecrets(new Uint8Array(32).fill(7))
  kernel = await openKernel({ operations: { takeBytes, takeStream } }, { provided: { secrets } as never })
  server = listen({ hostname: '127.0.0.1', port: 0 }, kernel.handle, createLog('silent'))
})
afterAll(async () => {
  await server.stop(true)
  await kernel.close()
})

const asBytes = { ...known, 'content-type': 'application/octet-stream' }
const problem = async (answer: Response) => [answer.status, (await answer.json()).code]

test('PLT-10 operation receives the raw bytes of the body and the path and query fields', async () => {
  const body = new Uint8Array([0x7b, 0xff, 0x00, 0x0d, 0x0a])
  const answer = await kernel.fetch('POST /api/bytes/7?name=raw', asBytes, body)
  expect([answer.status, await answer.json()]).toEqual([
    201,
    { id: '7', name: 'raw', bytes: 5, sha256: digestOf(body) },
  ])
})

test('PLT-10 raw body is rejected: 413 over the limit, 415 for a different type or encoding, 401 without a credential', async () => {
  const large = new Uint8Array(2 * mebibyte + 1)
  expect(await problem(await kernel.fetch('POST /api/bytes/7', asBytes, large))).toEqual([413, 'body_too_large'])
  const streamed = new Blob([large]).stream()
  expect(await problem(await kernel.fetch('POST /api/bytes/7', asBytes, streamed))).toEqual([413, 'body_too_large'])
  expect((await kernel.fetch('POST /api/bytes/7', asBytes, large.subarray(1))).status).toBe(201)
  const json = { ...known, 'content-type': 'application/json' }
  expect(await problem(await kernel.fetch('POST /api/bytes/7', json, '{}'))).toEqual([415, 'unsupported_media_type'])
  const encoded = { ...asBytes, 'content-encoding': 'gzip' }
  expect(await problem(await kernel.fetch('POST /api/bytes/7', encoded, 'x'))).toEqual([415, 'unsupported_media_type'])
  expect((await kernel.fetch('POST /api/bytes/7', { 'content-type': asBytes['content-type'] }, 'x')).status).toBe(401)
})

test('PLT-13 Idempotency-Key covers the raw bytes of a body', async () => {
  const send = (body: string) => kernel.fetch('POST /api/bytes/7', { ...asBytes, 'idempotency-key': 'bytes' }, body)
  expect((await send('one')).status).toBe(201)
  expect((await send('one')).headers.get('idempotency-replayed')).toBe('true')
  expect(await problem(await send('two'))).toEqual([422, 'idempotency_key_reused'])
})

/** 48 MiB in chunks, sent as fast as the server reads. */
const pieces = 48
const piece = Buffer.alloc(mebibyte, 'piece')
const sending = () => {
  let sent = 0
  return new ReadableStream<Uint8Array>({
    pull: (controller) => (sent++ < pieces ? controller.enqueue(piece) : controller.close()),
  })
}
const put = (body: BodyInit) => fetch(new URL('/api/stream', server.url), { method: 'PUT', headers: known, body })

test('PLT-10 streamed body arrives while it is being sent', async () => {
  const whole = new Bun.CryptoHasher('sha256')
  for (let at = 0; at < pieces; at++) whole.update(piece)
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  const sent = put(sending())
  // The handler runs and has read a part while most of the body isn't sent.
  expect(await eventually(() => read > 0)).toBe(true)
  expect(read).toBeLessThan(8 * mebibyte)
  resolve()
  const answer = await sent
  expect([answer.status, await answer.json()]).toEqual([200, { bytes: pieces * mebibyte, sha256: whole.digest('hex') }])
})

test('PLT-10 streamed body over its limit returns 413, by Content-Length or while it is read', async () => {
  expect(await problem(await put(new Uint8Array(64 * mebibyte + 1)))).toEqual([413, 'body_too_large'])
  const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(piece) })
  const answer = await kernel.handle(
    new Request('http://localhost/api/stream', { method: 'PUT', headers: known, body: endless }),
  )
  expect(await problem(answer)).toEqual([413, 'body_too_large'])
  expect(read).toBeWithin(63 * mebibyte, 64 * mebibyte + 1)
})
