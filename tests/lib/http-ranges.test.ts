import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import type { DatabaseHandle } from '#lib/db.ts'
import { listen, type Listener } from '#lib/http/listen.ts'
import { createLog } from '#lib/log.ts'
import { operation } from '#lib/operation.ts'
import { stream } from '#lib/reply.ts'
import { contextOf, kernelOf } from './kernel.tsx'

const content = new Blob(['0123456789'])
const etag = '"digits"'
const readFile = operation({
  route: 'GET /api/digits',
  summary: 'Read the digits',
  permission: 'public',
  streams: 'text/plain',
  ranges: true,
  input: z.object({}),
  output: z.null(),
  run: async () => {
    const part = (range = { from: 0, end: content.size }) => content.slice(range.from, range.end).stream()
    return stream({ size: content.size, etag, stream: part }, 'text/plain', { headers: { 'Cache-Control': 'private' } })
  },
})

let server: Listener
beforeAll(() => {
  const log = createLog('silent')
  const handle = kernelOf([contextOf({ operations: { readFile } })], { log, database: {} as DatabaseHandle })
  server = listen({ hostname: '127.0.0.1', port: 0 }, handle, log)
})
afterAll(() => server.stop(true))

const get = (headers: Record<string, string>, method = 'GET') =>
  fetch(new URL('/api/digits', server.url), { method, headers })

test.each([
  ['bytes=0-3', '0123', 'bytes 0-3/10'],
  ['bytes=4-', '456789', 'bytes 4-9/10'],
  ['bytes=-3', '789', 'bytes 7-9/10'],
  ['bytes=-20', '0123456789', 'bytes 0-9/10'],
  ['bytes=8-100', '89', 'bytes 8-9/10'],
  ['bytes=9-9', '9', 'bytes 9-9/10'],
])('PLT-36 a file is sent in part: %s', async (range, text, told) => {
  const answer = await get({ range })
  expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([206, text, told])
  expect(answer.headers.get('content-length')).toBe(String(text.length))
  expect(answer.headers.get('etag')).toBe(etag)
})

test.each(['bytes=10-', 'bytes=10-12', 'bytes=-0'])(
  'PLT-36 a range outside of the file is 416 and tells its size: %s',
  async (range) => {
    const answer = await get({ range })
    expect(answer.headers.get('content-range')).toBe('bytes */10')
    expect([answer.status, await answer.json()]).toMatchObject([416, { code: 'range_not_satisfiable' }])
  },
)

test.each(['bytes=0-1,4-5', 'bytes=4-2', 'bytes=-', 'bytes=a-b', 'lines=0-1', ''])(
  'PLT-36 a range that asks for no one part is answered with the whole file: %j',
  async (range) => {
    const answer = await get({ range })
    expect([answer.status, await answer.text()]).toEqual([200, '0123456789'])
    expect([answer.headers.get('content-length'), answer.headers.get('accept-ranges')]).toEqual(['10', 'bytes'])
  },
)

test('PLT-36 a download goes on only while the file is the same: If-Range', async () => {
  const range = 'bytes=4-5'
  const same = await get({ range, 'if-range': etag })
  expect([same.status, await same.text()]).toEqual([206, '45'])
  for (const other of ['"other"', `W/${etag}`, 'Sun, 22 Nov 2026 05:00:00 GMT']) {
    const changed = await get({ range, 'if-range': other })
    expect([changed.status, await changed.text()]).toEqual([200, '0123456789'])
  }
})

test('PLT-36 a file that the reader has is 304 without a body, whatever range is asked for', async () => {
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await get({ 'if-none-match': known, range: 'bytes=0-1' })
    expect([answer.status, await answer.text()]).toEqual([304, ''])
    expect([answer.headers.get('etag'), answer.headers.get('cache-control')]).toEqual([etag, 'private'])
  }
  expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
})

test('PLT-36 HEAD tells the size and the ETag of the whole file, and knows no ranges', async () => {
  const answer = await get({ range: 'bytes=0-1' }, 'HEAD')
  expect([answer.status, await answer.text()]).toEqual([200, ''])
  expect([answer.headers.get('content-length'), answer.headers.get('etag')]).toEqual(['10', etag])
  expect((await get({ 'if-none-match': etag }, 'HEAD')).status).toBe(304)
})
