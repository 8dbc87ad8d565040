import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { openKernel, type Kernel } from './kernel.tsx'

/** Resolve when the operation has begun, and when its signal has aborted. */
let begun: PromiseWithResolvers<void>
let aborted: PromiseWithResolvers<void>

const wait = (route: 'GET /api/wait' | 'POST /api/wait') =>
  operation({
    route,
    summary: 'Wait until the client is gone',
    permission: 'public',
    transaction: false,
    input: z.object({}),
    output: z.object({}),
    run: async ({ signal }) => {
      const { resolve } = aborted
      signal.addEventListener('abort', () => resolve())
      begun.resolve()
      await aborted.promise
      return {}
    },
  })

let kernel: Kernel
let server: Bun.Server<undefined>
beforeAll(async () => {
  kernel = await openKernel({ operations: { waitGet: wait('GET /api/wait'), waitPost: wait('POST /api/wait') } })
  server = Bun.serve({ port: 0, development: false, fetch: (request) => kernel.handle(request, '127.0.0.1') })
})
afterAll(async () => {
  await server.stop(true)
  await kernel.close()
})
beforeEach(() => {
  begun = Promise.withResolvers()
  aborted = Promise.withResolvers()
})

for (const method of ['GET', 'HEAD', 'POST']) {
  test(`the signal of a ${method} aborts when its client goes away`, async () => {
    const leave = new AbortController()
    const answer = fetch(`${server.url}api/wait`, { method, signal: leave.signal })
    await begun.promise
    leave.abort()
    await expect(answer).rejects.toThrow()
    await aborted.promise
  })
}
