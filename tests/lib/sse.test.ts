import { afterAll, beforeAll, beforeEach, expect, jest, test } from 'bun:test'
import { z } from 'zod'
import { listen } from '#lib/http/listen.ts'
import { createLog } from '#lib/log.ts'
import { operation } from '#lib/operation.ts'
import { stream, type StreamEnd } from '#lib/reply.ts'
import { sse } from '#lib/sse.ts'
import { openKernel, type Kernel } from './kernel.tsx'
import { scaleTime } from '../support/time-scale.ts'

const open = { permission: 'public', input: z.object({}), streams: 'text/event-stream' } as const
const Token = z.object({ token: z.string() })
const tokens = ['Once ', 'upon\n', 'a time']

/** How the streams of a test ended, and whether the generator's `finally` ran. */
let ends: StreamEnd[]
let cleanedUp: PromiseWithResolvers<void>
let hookRan: PromiseWithResolvers<void>
const onEnd = (end: StreamEnd) => {
  ends.push(end)
  hookRan.resolve()
}

/** Waits until the request is over. */
const over = (signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))

const complete = operation({
  ...open,
  route: 'POST /api/complete',
  summary: 'Complete a text, token by token',
  transaction: false,
  output: Token,
  run: async () => {
    const events = async function* () {
      for (const token of tokens) yield { id: token.trim(), event: 'token', data: { token } }
      yield { data: 'two\nlines' }
    }
    return sse(events(), { onEnd })
  },
})
const wait = operation({
  ...open,
  route: 'GET /api/wait',
  summary: 'Wait for news that never come',
  output: Token,
  run: async ({ signal }) => {
    const events = async function* () {
      try {
        await over(signal)
        yield { data: 'late' }
      } finally {
        cleanedUp.resolve()
      }
    }
    return sse(events(), { onEnd, heartbeatMs: 20 })
  },
})
const fail = operation({
  ...open,
  route: 'GET /api/fail',
  summary: 'Fail after the first token',
  output: Token,
  run: async () => {
    const events = async function* () {
      yield { data: { token: 'first' } }
      throw new Error('The model is gone')
    }
    return sse(events(), { onEnd })
  },
})
const settle = operation({
  ...open,
  route: 'GET /api/settle',
  summary: 'A stream whose end can’t be noted',
  output: z.null(),
  run: async () => {
    const lines = async function* () {
      yield 'one\n'
      yield new TextEncoder().encode('two\n')
    }
    const fails = () => Promise.reject(new Error('The ledger is closed'))
    return stream(lines(), 'text/plain', { onEnd: fails })
  },
})
const late = operation({
  ...open,
  route: 'GET /api/late',
  summary: 'A stream that begins after its time',
  timeout: 20,
  output: Token,
  run: async ({ signal }) => {
    await over(signal)
    return sse((async function* () {})(), { onEnd })
  },
})

let kernel: Kernel
let server: Bun.Server<undefined>
const counted: { route: string; outcome: string }[] = []
beforeAll(async () => {
  const operations = { complete, wait, fail, settle, late }
  kernel = await openKernel({ operations }, { measureStream: (one) => void counted.push(one) })
  server = Bun.serve({ port: 0, development: false, fetch: (request) => kernel.handle(request, '127.0.0.1') })
})
afterAll(async () => {
  await server.stop(true)
  await kernel.close()
})
beforeEach(() => {
  ends = []
  counted.length = 0
  cleanedUp = Promise.withResolvers()
  hookRan = Promise.withResolvers()
})

async function logged(message: string) {
  const line = () => kernel.lines.find((each) => each['message'] === message)
  while (!line()) await Bun.sleep(1)
  return line()
}

test('event stream arrives as events with a name, an id and their data, and ends as completed', async () => {
  const answer = await fetch(`${server.url}api/complete`, { method: 'POST' })
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  expect(await answer.text()).toBe(
    [
      ':\n\n',
      'event: token\nid: Once\ndata: {"token":"Once "}\n\n',
      'event: token\nid: upon\ndata: {"token":"upon\\n"}\n\n',
      'event: token\nid: a time\ndata: {"token":"a time"}\n\n',
      'data: two\ndata: lines\n\n',
    ].join(''),
  )
  await hookRan.promise
  expect(ends).toEqual([{ outcome: 'completed' }])
  expect(counted).toEqual([{ route: '/api/complete', outcome: 'completed' }])
})

test('idle event stream sends heartbeats, and a disconnect stops its work and runs its hook once', async () => {
  const leave = new AbortController()
  const answer = await fetch(`${server.url}api/wait`, { signal: leave.signal })
  const reader = answer.body?.getReader()
  for (let beats = ''; beats.length < 9;) beats += new TextDecoder().decode((await reader?.read())?.value)
  const left = performance.now()
  leave.abort()
  await Promise.all([cleanedUp.promise, hookRan.promise])
  expect(performance.now() - left).toBeLessThan(scaleTime(1_000))
  expect(ends).toEqual([{ outcome: 'canceled' }])
  expect(counted).toEqual([{ route: '/api/wait', outcome: 'canceled' }])
})

test('PLT-32 stopping server immediately stops event streams and their work', async () => {
  const listener = listen({ hostname: '127.0.0.1', port: 0 }, kernel.handle, createLog('silent'))
  const answer = await fetch(`${listener.url}api/wait`)
  const reader = answer.body?.getReader()
  await reader?.read()
  const rest = (async () => {
    while (!(await reader?.read())?.done);
  })()
  await Promise.all([listener.stop(), expect(rest).rejects.toThrow(), cleanedUp.promise, hookRan.promise])
  expect(ends).toEqual([{ outcome: 'canceled' }])
})

test('HEAD of an event stream ends its work', async () => {
  expect((await fetch(`${server.url}api/wait`, { method: 'HEAD' })).status).toBe(200)
  await hookRan.promise
  expect(ends).toEqual([{ outcome: 'canceled' }])
})

test('PLT-33 failing event stream passes the error to its hook, closes the connection and is logged', async () => {
  // On a reused connection, fetch would retry the request.
  const answer = fetch(`${server.url}api/fail`, { keepalive: false }).then(({ body }) => new Response(body).text())
  await expect(answer).rejects.toThrow()
  await hookRan.promise
  expect(ends).toMatchObject([{ outcome: 'failed', error: { message: 'The model is gone' } }])
  expect(await logged('stream failed')).toMatchObject({ path: '/api/fail', error: 'The model is gone' })
})

test('PLT-33 failing hook is logged with the request, and the client gets the whole body', async () => {
  const answer = await fetch(`${server.url}api/settle`)
  expect(await answer.text()).toBe('one\ntwo\n')
  const request = answer.headers.get('x-request-id')
  expect(await logged('stream end hook')).toMatchObject({ level: 'error', request, error: 'The ledger is closed' })
})

test('stream that starts after the operation’s timeout is canceled, and its hook runs', async () => {
  expect((await fetch(`${server.url}api/late`)).status).toBe(503)
  await hookRan.promise
  expect(ends).toEqual([{ outcome: 'canceled' }])
})

test('event stream leaves no timer, whether its events end, fail or are canceled', async () => {
  const ending = async function* () {
    yield { data: 'only' }
  }
  const failing = async function* () {
    yield { data: 'only' }
    throw new Error('The model is gone')
  }
  jest.useFakeTimers()
  try {
    for (const [events, end] of [
      [ending, (body: ReadableStream) => new Response(body).text()],
      [failing, (body: ReadableStream) => new Response(body).text().catch(() => {})],
      [ending, (body: ReadableStream) => body.cancel()],
    ] as const) {
      const { body } = sse(events())
      if (!(body instanceof ReadableStream)) throw new Error('Events are sent as a stream')
      expect(jest.getTimerCount()).toBe(1)
      await end(body)
      expect(jest.getTimerCount()).toBe(0)
    }
  } finally {
    jest.useRealTimers()
  }
})
