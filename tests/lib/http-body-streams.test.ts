import { afterAll, beforeAll, expect, jest, test } from 'bun:test'
import { z } from 'zod'
import { unauthorized } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { eventually } from '../boot/program.ts'
import { actor, known, openKernel, type Kernel } from './kernel.tsx'
import { scaleTime } from '../support/time-scale.ts'

// Bodies that an operation reads as they arrive, and clients that abort them.

let read = 0
const take = operation({
  route: 'POST /api/take',
  summary: 'Read a body as it arrives',
  permission: 'signed-in',
  body: { as: 'stream', limit: 10 * 1024 * 1024 },
  transaction: false,
  input: z.object({}),
  output: z.object({ bytes: z.number() }),
  run: async ({ body }) => {
    read = 0
    for await (const chunk of body) read += chunk.byteLength
    return { bytes: read }
  },
})
const echo = operation({
  route: 'POST /api/echo',
  summary: 'Say it again',
  permission: 'public',
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
  run: async ({ input }) => input,
})

let kernel: Kernel
let server: Bun.Server<undefined>
let isRevoked = false
let organization = actor.organization
beforeAll(async () => {
  const authenticate = async () => {
    if (isRevoked) throw unauthorized()
    return { ...actor, organization }
  }
  kernel = await openKernel({ operations: { take, echo } }, { authenticate })
  server = Bun.serve({ port: 0, development: false, fetch: (request) => kernel.handle(request, '127.0.0.1') })
})
afterAll(async () => {
  await server.stop(true)
  await kernel.close()
})

/** Runs everything that doesn't wait for a timer. */
const settle = async () => {
  for (let turn = 0; turn < 100; turn++) await Promise.resolve()
}

/** Sends `bytes` every `seconds` for up to 200 s; returns the status and after how many seconds it came. */
async function trickled(bytes: number, seconds: number): Promise<{ status: number; after: number }> {
  let isAnswered = false
  let sender: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (sender = controller) })
  let after = 0
  jest.useFakeTimers()
  const answer = kernel.fetch('POST /api/take', known, body).finally(() => (isAnswered = true))
  try {
    await settle()
    for (; after < 200 && !isAnswered; after++) {
      if (after % seconds === 0) sender?.enqueue(new Uint8Array(bytes))
      await settle()
      jest.advanceTimersByTime(1000)
      await settle()
    }
  } finally {
    jest.useRealTimers()
  }
  if (!isAnswered) sender?.close()
  return { status: (await answer).status, after }
}

test('PLT-10 streamed body of one byte every 10 s returns 408 once it is 20 s behind 4 KiB/s', async () => {
  const { status, after } = await trickled(1, 10)
  expect(status).toBe(408)
  expect(after).toBeWithin(20, 22)
})

test.each([
  [4 * 1024, 1],
  [60 * 1024, 15],
])('PLT-10 streamed body of %d bytes every %d s, which is 4 KiB/s, is read to its end', async (bytes, seconds) => {
  expect(await trickled(bytes, seconds)).toEqual({ status: 200, after: 200 })
})

test('PLT-10 streamed body that sends nothing for 20 s returns 408', async () => {
  const { status, after } = await trickled(1024 * 1024, 50)
  expect(status).toBe(408)
  expect(after).toBeWithin(20, 22)
})

/** A streamed body of which 5 bytes were read, and nothing more arrives. */
async function sendStart() {
  let sender: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (sender = controller) })
  read = 0
  const answer = kernel.fetch('POST /api/take', known, body)
  sender?.enqueue(new Uint8Array(5))
  expect(await eventually(async () => read === 5)).toBe(true)
  return { answer }
}

test('PLT-10 IDN-05 streamed body ends with 401 when its session ends, even while nothing arrives', async () => {
  const { answer } = await sendStart()
  isRevoked = true
  expect((await answer).status).toBe(401)
  isRevoked = false
})

test('PLT-10 PLT-23 a streamed body ends with 404 when its session switches to another organization', async () => {
  const { answer } = await sendStart()
  organization = { id: newId(), slug: 'umbrella', role: 'owner' }
  expect((await answer).status).toBe(404)
  organization = actor.organization
})

test.each([
  ['/api/echo', 'application/json'],
  ['/api/take', 'application/octet-stream'],
])('PLT-33 body to %s that the client aborts is logged as 400, not as a server error', async (path, type) => {
  const before = kernel.lines.length
  const logged = () => kernel.lines.slice(before).filter((line) => line['path'] === path)
  const headers = `Host: localhost\r\nAuthorization: Bearer known\r\nContent-Type: ${type}\r\nContent-Length: 100`
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: server.port ?? 0,
    socket: {
      open: (own) => void own.write(`POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n{"te`),
      data: () => {},
    },
  })
  // Waits until the server reads on.
  await Bun.sleep(scaleTime(50))
  socket.terminate()
  expect(await eventually(async () => logged().length > 0)).toBe(true)
  expect(logged()).toMatchObject([{ message: 'request', level: 'info', status: 400 }])
})
