import { afterAll, beforeAll, beforeEach, expect, jest, test } from 'bun:test'
import { z } from 'zod'
import { unauthorized } from '#lib/errors.ts'
import { recheckWhileReading } from '#lib/http/streams/recheck-while-reading.ts'
import { operation } from '#lib/operation.ts'
import { stream } from '#lib/reply.ts'
import { actor, known, openKernel, type Kernel } from './kernel.tsx'

// Files whose download outlasts the right to it, and clients that read slowly.

const long = 65 * 1024 * 1024
/** Sends 1 KiB every 20 ms, for long. */
const trickle = () =>
  new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await Bun.sleep(20)
      controller.enqueue(new Uint8Array(1024))
    },
  })
const download = operation({
  route: 'GET /api/download',
  summary: 'Download the file',
  permission: 'signed-in',
  streams: 'text/plain',
  ranges: true,
  input: z.object({}),
  output: z.null(),
  run: async () =>
    stream({ size: long, etag: '"long"', stream: trickle, blob: () => new Blob(['by the disk']) }, 'text/plain'),
})

let kernel: Kernel
let server: Bun.Server<undefined>
let isRevoked = false
beforeAll(async () => {
  const authenticate = async () => {
    if (isRevoked) throw unauthorized()
    return actor
  }
  kernel = await openKernel({ operations: { download } }, { authenticate })
  server = Bun.serve({ port: 0, development: false, fetch: (request) => kernel.handle(request, '127.0.0.1') })
})
beforeEach(() => {
  isRevoked = false
})
afterAll(async () => {
  await server.stop(true)
  await kernel.close()
})

const get = (headers: Record<string, string> = {}) =>
  fetch(new URL('/api/download', server.url), { headers: { ...known, ...headers } })

test('PLT-36 IDN-05 the download of a long file is stopped when its session ends', async () => {
  const response = await get()
  const reader = response.body?.getReader()
  expect((await reader?.read())?.done).toBe(false)
  isRevoked = true
  const rest = async () => {
    for (;;) if ((await reader?.read())?.done) return 'sent completely'
  }
  await expect(rest()).rejects.toThrow()
})

test('PLT-36 up to 64 MiB of a file on disk are sent with Content-Length', async () => {
  expect(await (await get({ range: 'bytes=0-99' })).text()).toBe('by the disk')
})

test.each([
  ['1 KiB every second is too slow after 400 s', 1024, 1, 'download_timeout'],
  ['4 KiB every second is read to its end', 4 * 1024, 1, 'read'],
  ['512 KiB every 2 minutes is read to its end', 512 * 1024, 120, 'read'],
])('PLT-36 download by a client that reads %s', async (_, bytes, seconds, outcome) => {
  jest.useFakeTimers()
  try {
    const source = new ReadableStream<Uint8Array>({ pull: (from) => from.enqueue(new Uint8Array(bytes)) })
    const reader = recheckWhileReading(source, async () => {}).getReader()
    const read = async () => {
      for (let second = 0; second < 3600; second += seconds) {
        await reader.read()
        jest.advanceTimersByTime(seconds * 1000)
      }
      return 'read'
    }
    expect(await read().catch(({ code }: { code: string }) => code)).toBe(outcome)
  } finally {
    jest.useRealTimers()
  }
})
