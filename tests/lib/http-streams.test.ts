import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { stream } from '#lib/reply.ts'
import { contextOf, kernelOf, openKernel, type Kernel } from './kernel.tsx'

const open = { permission: 'public', streams: 'text/plain', input: z.object({}), output: z.null() } as const
const bytes = (text: string) => new TextEncoder().encode(text)

let canceled: PromiseWithResolvers<void>
/** Sends `more` without end, as server-sent events do. */
const follow = operation({
  ...open,
  route: 'GET /api/follow',
  summary: 'Follow the notes',
  run: async () =>
    stream(
      new ReadableStream({
        pull: (controller) => controller.enqueue(bytes('more ')),
        cancel: () => canceled.resolve(),
      }),
      'text/plain',
    ),
})
const breakOff = operation({
  ...open,
  route: 'GET /api/broken',
  summary: 'A stream that fails',
  run: async () => {
    const parts = ['one ', 'two ']
    const next = () => parts.shift()
    return stream(
      new ReadableStream({
        pull: (controller) => {
          const part = next()
          if (part === undefined) throw new Error('The disk is gone')
          controller.enqueue(bytes(part))
        },
      }),
      'text/plain',
    )
  },
})
const whole = operation({
  ...open,
  route: 'GET /api/whole',
  summary: 'A stream that ends',
  run: async () => stream(new Response('all of it').body ?? new Blob(), 'text/plain'),
})

/** Lacks the declarations of its stream and of `transaction: false`. */
const smuggled = operation({
  permission: 'public',
  route: 'POST /api/smuggled',
  summary: 'A stream out of a transaction',
  input: z.object({}),
  output: z.null(),
  run: async ({ db }) => {
    await db.execute(sql`INSERT INTO notes VALUES ('smuggled')`)
    return stream(new Blob(['anything']), 'text/plain')
  },
})

let kernel: Kernel
let server: Bun.Server<undefined>
const ended: { route: string; outcome: string }[] = []
beforeAll(async () => {
  const operations = { follow, breakOff, whole, smuggled }
  kernel = await openKernel({ operations }, { measureStream: (one) => void ended.push(one) })
  server = Bun.serve({ port: 0, development: false, fetch: (request) => kernel.handle(request, '127.0.0.1') })
})
afterAll(async () => {
  await server.stop(true)
  await kernel.close()
})
beforeEach(() => {
  canceled = Promise.withResolvers()
  ended.length = 0
})

test('HEAD of a stream cancels it', async () => {
  const answer = await fetch(`${server.url}api/follow`, { method: 'HEAD' })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain'])
  await canceled.promise
  expect(ended).toEqual([{ route: '/api/follow', outcome: 'canceled' }])
})

test('stream ends when its reader disconnects', async () => {
  const leave = new AbortController()
  const answer = await fetch(`${server.url}api/follow`, { signal: leave.signal })
  await answer.body?.getReader().read()
  leave.abort()
  await canceled.promise
  expect(ended).toEqual([{ route: '/api/follow', outcome: 'canceled' }])
})

test('PLT-33 failing stream is logged with its request id and error, and counted', async () => {
  // The connection is closed, so that clients notice that the body is incomplete.
  await expect(fetch(`${server.url}api/broken`).then((answer) => answer.text())).rejects.toThrow()
  const [request, failure] = kernel.lines.filter(({ path }) => path === '/api/broken')
  expect(request).toMatchObject({ message: 'request', status: 200 })
  const { request: id } = request ?? {}
  expect(failure).toMatchObject({ level: 'error', message: 'stream failed', request: id, error: 'The disk is gone' })
  expect(ended).toEqual([{ route: '/api/broken', outcome: 'failed' }])
})

test('PLT-33 finished stream is counted as completed, with all its bytes', async () => {
  const answer = await fetch(`${server.url}api/whole`)
  expect(await answer.text()).toBe('all of it')
  expect(ended).toEqual([{ route: '/api/whole', outcome: 'completed' }])
})

test('stream that would outlive its transaction is rejected, and the transaction rolled back', async () => {
  expect((await kernel.fetch('POST /api/smuggled')).status).toBe(500)
  expect(await kernel.notes()).toEqual([])
  expect(JSON.stringify(kernel.lines)).toContain('POST /api/smuggled streams, so it has to declare')
})

test('startup fails for an unsafe operation that streams inside its transaction', () => {
  const streaming = { ...smuggled, streams: 'text/plain' }
  const start = (operations: Record<string, typeof smuggled>) => () => kernelOf([contextOf({ operations })])
  expect(start({ streaming })).toThrow('streaming streams its response, so it has to declare "transaction: false".')
  expect(start({ streaming: { ...streaming, transaction: false } })).not.toThrow()
})
