import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { DatabaseHandle } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { listen, type Listener } from '#lib/http/listen.ts'
import { createLog } from '#lib/log.ts'
import { operation } from '#lib/operation.ts'
import { stream } from '#lib/reply.ts'
import { openStorage } from '#lib/storage.ts'
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

/** A file on disk that is larger than one packet. */
const video = crypto.getRandomValues(new Uint8Array(3 * 1024 * 1024))
const home = mkdtempSync(join(tmpdir(), 'atrium-ranges-'))
const storage = openStorage({ DATA_DIR: home, S3_REGION: 'us-east-1' })
const readVideo = operation({
  route: 'GET /api/video',
  summary: 'Read the video',
  permission: 'public',
  streams: 'video/*',
  ranges: true,
  input: z.object({}),
  output: z.null(),
  run: async () => {
    const file = await storage.read('video.mp4')
    if (!file) throw notFound()
    return stream({ ...file, etag }, 'video/mp4')
  },
})

let server: Listener
beforeAll(async () => {
  await storage.put('video.mp4', video, 'video/mp4')
  const log = createLog('silent')
  const handle = kernelOf([contextOf({ operations: { readFile, readVideo } })], { log, database: {} as DatabaseHandle })
  server = listen({ hostname: '127.0.0.1', port: 0 }, handle, log)
})
afterAll(async () => {
  await server.stop(true)
  rmSync(home, { recursive: true, force: true })
})

const get = (headers: Record<string, string>, method = 'GET', path = '/api/digits') =>
  fetch(new URL(path, server.url), { method, headers })

test.each([
  ['bytes=0-3', '0123', 'bytes 0-3/10'],
  ['bytes=4-', '456789', 'bytes 4-9/10'],
  ['bytes=-3', '789', 'bytes 7-9/10'],
  ['bytes=-20', '0123456789', 'bytes 0-9/10'],
  ['bytes=8-100', '89', 'bytes 8-9/10'],
  ['bytes=9-9', '9', 'bytes 9-9/10'],
])('PLT-36 partial file is sent: %s', async (range, text, reported) => {
  const answer = await get({ range })
  expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([206, text, reported])
  expect(answer.headers.get('content-length')).toBe(String(text.length))
  expect(answer.headers.get('etag')).toBe(etag)
})

test.each(['bytes=10-', 'bytes=10-12', 'bytes=-0'])(
  'PLT-36 range outside the file returns 416 with its size: %s',
  async (range) => {
    const answer = await get({ range })
    expect(answer.headers.get('content-range')).toBe('bytes */10')
    expect([answer.status, await answer.json()]).toMatchObject([416, { code: 'range_not_satisfiable' }])
  },
)

test.each(['bytes=0-1,4-5', 'bytes=4-2', 'bytes=-', 'bytes=a-b', 'lines=0-1', ''])(
  'PLT-36 whole file is sent unless there is exactly one valid range: %j',
  async (range) => {
    const answer = await get({ range })
    expect([answer.status, await answer.text()]).toEqual([200, '0123456789'])
    expect([answer.headers.get('content-length'), answer.headers.get('accept-ranges')]).toEqual(['10', 'bytes'])
  },
)

test('PLT-36 download resumes with If-Range only while the file is unchanged', async () => {
  const range = 'bytes=4-5'
  const same = await get({ range, 'if-range': etag })
  expect([same.status, await same.text()]).toEqual([206, '45'])
  for (const other of ['"other"', `W/${etag}`, 'Sun, 22 Nov 2026 05:00:00 GMT']) {
    const changed = await get({ range, 'if-range': other })
    expect([changed.status, await changed.text()]).toEqual([200, '0123456789'])
  }
})

test('PLT-36 file that the client already has returns 304 without a body, with any range', async () => {
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await get({ 'if-none-match': known, range: 'bytes=0-1' })
    expect([answer.status, await answer.text()]).toEqual([304, ''])
    expect([answer.headers.get('etag'), answer.headers.get('cache-control')]).toEqual([etag, 'private'])
  }
  expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
})

test('PLT-36 HEAD returns the size and the ETag of the whole file, and ignores ranges', async () => {
  const answer = await get({ range: 'bytes=0-1' }, 'HEAD')
  expect([answer.status, await answer.text()]).toEqual([200, ''])
  expect([answer.headers.get('content-length'), answer.headers.get('etag')]).toEqual(['10', etag])
  expect((await get({ 'if-none-match': etag }, 'HEAD')).status).toBe(304)
})

test('PLT-36 file on disk is sent with Content-Length, whole and in part, so clients notice a broken connection', async () => {
  const size = video.byteLength
  const read = async (headers: Record<string, string>) => {
    const answer = await get(headers, 'GET', '/api/video')
    const [length, range] = ['content-length', 'content-range'].map((name) => answer.headers.get(name))
    return { status: answer.status, length, range, bytes: await answer.bytes() }
  }
  const whole = { status: 200, length: String(size), range: null, bytes: video }
  expect(await read({})).toEqual(whole)
  const part = { status: 206, length: String(size - 1000), range: `bytes 1000-${size - 1}/${size}` }
  expect(await read({ range: 'bytes=1000-' })).toEqual({ ...part, bytes: video.slice(1000) })
  expect(await read({ range: 'bytes=1000-', 'if-range': etag })).toMatchObject(part)
  expect(await read({ range: 'bytes=1000-', 'if-range': '"other"' })).toEqual(whole)
  expect(await read({ range: 'bytes=0-1,4-5' })).toEqual(whole)
  const head = await get({}, 'HEAD', '/api/video')
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(size), ''])
})
