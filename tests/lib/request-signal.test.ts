import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { contextOf, known, openKernel, type Kernel } from './kernel.tsx'

/** Resolve when the operation has begun, and when its signal has aborted. */
let started: PromiseWithResolvers<void>
let aborted: PromiseWithResolvers<void>
/** Resolves when the client has left. */
let left: PromiseWithResolvers<void>

const wait = (route: 'GET /api/wait' | 'POST /api/wait') =>
  operation({
    route,
    summary: 'Wait until the client is gone',
    permission: 'public',
    transaction: false,
    // Far longer than a test: its own end would abort the signal, too.
    timeout: 600_000,
    input: z.object({}),
    output: z.object({}),
    run: async ({ signal }) => {
      const { resolve } = aborted
      signal.addEventListener('abort', () => resolve())
      started.resolve()
      await aborted.promise
      return {}
    },
  })

/** Looks at its signal only once its client has left. */
const late = operation({
  route: 'POST /api/late',
  summary: 'Look for the client later',
  permission: 'public',
  transaction: false,
  timeout: 600_000,
  input: z.object({}),
  output: z.object({}),
  run: async (call) => {
    const { resolve } = aborted
    started.resolve()
    await left.promise
    const { signal } = call
    signal.addEventListener('abort', () => resolve())
    if (signal.aborted) resolve()
    await aborted.promise
    return {}
  },
})

const action = {
  service: 'notes',
  name: 'waitPost',
  summary: 'Wait',
  method: 'POST',
  path: '/api/wait',
  permission: 'public',
  inputSchema: { type: 'object' },
  origin: null,
}

let kernel: Kernel
let server: Bun.Server<undefined>
beforeAll(async () => {
  const operations = { waitGet: wait('GET /api/wait'), waitPost: wait('POST /api/wait'), late }
  const mcp = {
    context: contextOf({ operations }),
    actions: async () => ({ items: [action], nextCursor: null }),
    metadataUrl: () => '',
    version: '1',
    instructions: '',
  }
  kernel = await openKernel({ operations }, { mcp })
  server = Bun.serve({ port: 0, development: false, fetch: (request) => kernel.handle(request, '127.0.0.1') })
})
afterAll(async () => {
  await server.stop(true)
  await kernel.close()
})
beforeEach(() => {
  started = Promise.withResolvers()
  aborted = Promise.withResolvers()
  left = Promise.withResolvers()
})

for (const method of ['GET', 'HEAD', 'POST']) {
  test(`the signal of a ${method} aborts when its client disconnects`, async () => {
    const leave = new AbortController()
    const answer = fetch(`${server.url}api/wait`, { method, signal: leave.signal })
    await started.promise
    leave.abort()
    await expect(answer).rejects.toThrow()
    await aborted.promise
  })
}

test('a signal that is first looked at after the client has disconnected is aborted', async () => {
  const leave = new AbortController()
  const answer = fetch(`${server.url}api/late`, { method: 'POST', signal: leave.signal })
  await started.promise
  leave.abort()
  await expect(answer).rejects.toThrow()
  left.resolve()
  await aborted.promise
})

test('PLT-16 the signal of a tool’s operation aborts when the client of /mcp disconnects', async () => {
  const leave = new AbortController()
  const answer = fetch(`${server.url}mcp`, {
    method: 'POST',
    headers: { ...known, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'waitPost', arguments: {} } }),
    signal: leave.signal,
  })
  await started.promise
  leave.abort()
  await expect(answer).rejects.toThrow()
  await aborted.promise
})
