import { afterAll, expect, spyOn, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createLog } from '#lib/log.ts'
import { createMetrics } from '#lib/metrics.ts'
import { outsideCallMetrics } from '#lib/metrics/own.ts'
import { createFetch, type Provider } from '#lib/outbound/provider.ts'
import { OutboundError } from '#lib/outbound.ts'
import { markTransaction, refuseOutsideCall, reportOutsideCalls } from '#lib/outside-calls.ts'

const servers: { stop(force: boolean): unknown }[] = []
afterAll(() => servers.forEach((server) => server.stop(true)))

const hang = () => new Promise<Response>(() => {})

/** A provider on loopback and the client for it; `ports` are the connections that calls used. */
function provider(answer: (request: Request) => Response | Promise<Response>, bounds: Partial<Provider> = {}) {
  const ports: (number | undefined)[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: (request) => {
      ports.push(server.requestIP(request)?.port)
      return answer(request)
    },
  })
  servers.push(server)
  const url = `http://127.0.0.1:${server.port}/v1`
  return { ports, url, fetch: createFetch({ name: 'Acme', baseUrl: url, ...bounds }) }
}

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'no failure',
    (error: unknown) => error,
  )
}

const outcomeOf = async (call: Promise<unknown>) => {
  const error = await failure(call)
  return error instanceof OutboundError ? [error.outcome, error.mayHaveArrived] : error
}

const bytes = (text: string) => new TextEncoder().encode(text)
const streamed = (parts: AsyncGenerator<string>) =>
  new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(bytes(value))
    },
  })
/** A response that never ends. */
const endless = () =>
  new Response(
    streamed(
      (async function* () {
        yield 'begun'
        await hang()
      })(),
    ),
  )

test('request and response bodies are streamed', async () => {
  const [sent, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const received: string[] = []
  const { fetch, url } = provider(async (request) => {
    for await (const part of request.body ?? []) {
      received.push(new TextDecoder().decode(part))
      sent.resolve()
    }
    return new Response(
      streamed(
        (async function* () {
          yield 'first'
          await read.promise
          yield 'second'
        })(),
      ),
      { status: 201 },
    )
  })
  const body = streamed(
    (async function* () {
      yield 'one'
      await sent.promise // The server gets the beginning before the end exists.
      yield 'two'
    })(),
  )
  const answer = await fetch(url, { method: 'POST', body })
  expect([answer.status, received.join('')]).toEqual([201, 'onetwo'])
  const parts: string[] = []
  for await (const part of answer.body ?? []) {
    parts.push(new TextDecoder().decode(part))
    read.resolve()
  }
  expect(parts).toEqual(['first', 'second'])
})

test('consecutive calls use the same connection', async () => {
  const { fetch, url, ports } = provider(() => Response.json({ fine: true }))
  for (let call = 0; call < 3; call++) expect(await (await fetch(url)).json()).toEqual({ fine: true })
  expect(new Set(ports).size).toBe(1)
})

test('call beyond the concurrency waits until a response is read, or fails as busy', async () => {
  const long = 'x'.repeat(100_000)
  const full = provider(() => new Response(long), { concurrency: 1, waitMs: 50 })
  const held = await full.fetch(full.url)
  expect(await outcomeOf(full.fetch(full.url))).toEqual(['busy', false])
  await held.body?.cancel()
  const { fetch, url, ports } = provider(() => new Response(long), { concurrency: 1 })
  const first = await fetch(url)
  const second = fetch(url)
  expect(await first.text()).toBe(long)
  expect(await (await second).text()).toBe(long)
  const third = await fetch(url)
  await third.body?.cancel()
  expect(await (await fetch(url)).text()).toBe(long)
  expect(ports).toHaveLength(4)
  // A short response is read at once.
  const short = provider(() => new Response('Hello'), { concurrency: 1, waitMs: 50 })
  const unread = await short.fetch(short.url)
  expect(await (await short.fetch(short.url)).text()).toBe('Hello')
  expect(await unread.text()).toBe('Hello')
})

test('call fails when its response doesn’t begin, goes silent, or takes too long in all', async () => {
  const mute = provider(hang, { responseMs: 50 })
  expect(await outcomeOf(mute.fetch(mute.url))).toEqual(['timed_out', true])
  const silent = provider(endless, { silenceMs: 50 })
  expect(await outcomeOf((await silent.fetch(silent.url)).text())).toEqual(['timed_out', true])
  const slow = provider(endless, { totalMs: 500, concurrency: 1 })
  await slow.fetch(slow.url) // Its response is never read: the slot is freed nevertheless.
  expect(await outcomeOf((await slow.fetch(slow.url)).text())).toEqual(['timed_out', true])
})

test('response over the limit fails, whether compressed or not', async () => {
  const long = provider(() => new Response('x'.repeat(2_000)), { maxBytes: 1_000 })
  const packed = gzipSync('x'.repeat(1_000_000))
  const bomb = provider(() => new Response(packed, { headers: { 'content-encoding': 'gzip' } }), { maxBytes: 100_000 })
  const fitting = provider(() => new Response(packed, { headers: { 'content-encoding': 'gzip' } }))
  for (const { fetch, url } of [long, bomb])
    expect(await outcomeOf((await fetch(url)).text())).toEqual(['too_large', true])
  const answer = await fitting.fetch(fitting.url)
  expect([answer.headers.get('content-encoding'), (await answer.text()).length]).toEqual([null, 1_000_000])
})

test('aborted call fails like fetch: before the response, during it, and while waiting for a slot', async () => {
  const aborted = async (call: (signal: AbortSignal) => Promise<unknown>) => {
    const controller = new AbortController()
    const ended = failure(call(controller.signal))
    controller.abort()
    return ended
  }
  const mute = provider(hang, { concurrency: 1 })
  const open = mute.fetch(mute.url, { signal: AbortSignal.timeout(5_000) })
  open.catch(() => {})
  expect(await aborted((signal) => mute.fetch(mute.url, { signal }))).toMatchObject({ name: 'AbortError' })
  const started = provider(endless)
  const controller = new AbortController()
  const answer = await started.fetch(new Request(started.url, { signal: controller.signal }))
  const read = failure(answer.text())
  controller.abort()
  expect(await read).toMatchObject({ name: 'AbortError' })
  const free = provider(hang)
  expect(await aborted((signal) => free.fetch(free.url, { signal }))).toMatchObject({ name: 'AbortError' })
})

test('a provider’s calls only go to its origin, don’t follow redirects, and are rejected in an open transaction', async () => {
  // A server of another file can have replaced it.
  reportOutsideCalls(refuseOutsideCall)
  const other = provider(() => new Response('inside'))
  const { fetch, url } = provider(() => new Response(null, { status: 307, headers: { location: other.url } }))
  for (const elsewhere of [other.url, 'file:///etc/passwd', '/relative'])
    expect(await outcomeOf(fetch(elsewhere))).toEqual(['refused_address', false])
  expect((await fetch(url, { redirect: 'follow' })).status).toBe(307)
  expect(other.ports).toEqual([])
  expect(await failure(markTransaction(() => fetch(url)))).toMatchObject({
    message: expect.stringContaining('Acme was called while a transaction was open'),
  })
  expect(await outcomeOf(createFetch({ name: 'Away', baseUrl: 'http://127.0.0.1:1' })('http://127.0.0.1:1/'))).toEqual([
    'unreachable',
    false,
  ])
})

test('call in an open transaction is made, counted and logged in production', async () => {
  const lines: string[] = []
  const metrics = createMetrics()
  const { fetch, url } = provider(() => new Response('Hello'))
  const before = reportOutsideCalls(
    outsideCallMetrics(
      metrics,
      createLog('error', false, (line) => lines.push(line)),
    ),
  )
  try {
    expect(await markTransaction(async () => (await fetch(url)).text())).toBe('Hello')
  } finally {
    reportOutsideCalls(before)
  }
  expect(await metrics.text()).toContain('atrium_outside_calls_in_transaction_total{call="Acme"} 1')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', error: 'Acme' }])
})

test('official SDK accepts the client as its fetch, with streamed responses', async () => {
  const event = (message: object) => `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`
  const { fetch, url } = provider(async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405 })
    const { id, method, params } = await request.json()
    if (id === undefined) return new Response(null, { status: 202 })
    const serverInfo = { name: 'acme', version: '1' }
    const result =
      method === 'initialize'
        ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }
        : { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }
    const parts = (async function* () {
      yield event({ id, result })
    })()
    return new Response(streamed(parts), { headers: { 'content-type': 'text/event-stream' } })
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch }))
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo'])
  await client.close()
})

test('call that gets no slot leaves no listener on the signal of its caller', async () => {
  const { fetch, url } = provider(hang, { concurrency: 1, waitMs: 10 })
  const caller = new AbortController()
  const added = spyOn(caller.signal, 'addEventListener')
  const removed = spyOn(caller.signal, 'removeEventListener')
  const running = failure(fetch(url, { signal: caller.signal }))
  expect(await outcomeOf(fetch(url, { signal: caller.signal }))).toEqual(['busy', false])
  expect(await outcomeOf(fetch(url, { signal: caller.signal }, 'tenant'))).toEqual(['busy', false])
  expect(added.mock.calls.length - removed.mock.calls.length).toBe(1)
  caller.abort()
  await running
})
