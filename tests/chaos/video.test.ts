import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { serviceTokens } from '#identity'
import type { VideoUpload } from '#gateway/types'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { directAddress } from '#lib/postgres/pool.ts'
import { createSecrets } from '#lib/secrets.ts'
import { serveVideo, type VideoServer } from '../../src/gateway/practice-video/server.ts'
import { eventually, killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { newPublisher } from '../support/publisher.ts'
import { secretsKey, serve, type Served } from '../support/served.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'
import { scaleTime } from '../support/time-scale.ts'

// A large video passes through a gateway that is killed in the middle, and continues on another one.

const long = process.env['TEST_LONG'] === 'true'
const mebibyte = 1024 * 1024
const length = (long ? 1024 : 96) * mebibyte
/** Megabytes above the memory before: less than the part of the shorter video that the first server gets. */
const maxExtra = 64

let fresh: TestDatabase
let database: DatabaseHandle
let provider: VideoServer
let first: Served
let second: Server
let headers: Record<string, string>

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 2)
  provider = serveVideo({ at: directAddress(fresh.url), port: 0 })
  const env = { UPLOAD_LEASE_MS: String(scaleTime(1000)), VIDEO_URL: `${provider.url}/dev/video` }
  first = await serve({ databaseUrl: fresh.url, env })
  second = await serveInProcess({ databaseUrl: fresh.url, env })
  const { organizationId } = await newPublisher(first.url)
  const store = { db: database.db, secrets: createSecrets(Buffer.from(secretsKey, 'hex')), now: () => new Date() }
  const token = await serviceTokens(store, 'platform-socialize')('platform-gateway')
  headers = {
    authorization: `Bearer ${token}`,
    'x-organization-id': organizationId,
    'x-provider-authorization': 'Bearer ya29.555555.anna',
  }
})
afterAll(async () => {
  await killRest()
  await second.stop()
  await provider.stop()
  await database.close()
  await fresh.drop()
})

const pattern = Buffer.alloc(mebibyte, 'Atrium')

/** The bytes of the video from an offset on, generated on demand. */
function* bytesFrom(offset: number, end = length): Generator<Uint8Array<ArrayBuffer>> {
  for (let from = offset; from < end;) {
    const within = from % mebibyte
    const bytes = new Uint8Array(pattern.subarray(within, Math.min(mebibyte, within + end - from)))
    yield bytes
    from += bytes.byteLength
  }
}

/** Sends as fast as the server reads, and ends after `until`. */
function sending(bytes: Generator<Uint8Array>, until: Promise<void> = Promise.resolve()): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = bytes.next()
      if (!done) return controller.enqueue(value)
      await until
      controller.close()
    },
  })
}

const send = (server: { url: string }, { uploadUrl }: VideoUpload, offset: number, body: BodyInit) =>
  fetch(new URL(`${uploadUrl}?offset=${offset}`, server.url), { method: 'PUT', headers, body })

async function read(server: { url: string }, id: string): Promise<VideoUpload> {
  const response = await fetch(new URL(`/platform/youtube/videos/${id}`, server.url), { headers })
  return (await response.json()) as VideoUpload
}

/** Memory of the first server in bytes; its maximum with `VmHWM`. */
const memory = (line: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${line}:\\s+(\\d+)`).exec(readFileSync(`/proc/${first.pid}/status`, 'utf8'))?.[1]) * 1024

function startMeasuring(): number {
  writeFileSync(`/proc/${first.pid}/clear_refs`, '5')
  return memory('VmRSS')
}

test(`GTW-43 video of ${length / mebibyte} MiB passes through with less than ${maxExtra} MB of memory, and continues on another server after SIGKILL`, async () => {
  const started = await fetch(new URL('/platform/youtube/videos', first.url), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Roasting day', length, contentType: 'video/mp4' }),
  })
  expect(started.status).toBe(201)
  const upload = (await started.json()) as VideoUpload
  const before = startMeasuring()
  const killed = Promise.withResolvers<void>()
  const cut = send(first, upload, 0, sending(bytesFrom(0, (length / 4) * 3), killed.promise)).catch(() => null)
  const recorded = async () => {
    const [row] = await database.sql<{ received: string }[]>`SELECT received FROM gateway.video_uploads`
    return Number(row?.received)
  }
  expect(await eventually(async () => (await recorded()) >= length / 2, 240_000)).toBe(true)
  const extra = (memory('VmHWM') - before) / 1e6
  if (long) console.log(`extra memory of the gateway: ${extra.toFixed(1)} MB`)
  expect(extra).toBeLessThan(maxExtra)
  expect((await send(second, upload, 0, 'x')).status).toBe(423)
  first.kill('SIGKILL')
  killed.resolve()
  expect(await cut).toBeNull()
  // The lease of the dead server expires; then the provider is asked.
  expect(await eventually(async () => !(await read(second, upload.id)).isReceiving, 60_000)).toBe(true)
  const { received, state } = await read(second, upload.id)
  expect([state, received]).toEqual(['uploading', expect.any(Number)])
  expect(received).toBeWithin(length / 2, (length / 4) * 3 + 1)
  const done = await send(second, upload, received, sending(bytesFrom(received)))
  expect([done.status, await done.json()]).toMatchObject([200, { state: 'completed', received: length }])
  const hash = new Bun.CryptoHasher('sha256')
  for (const bytes of bytesFrom(0)) hash.update(bytes)
  const held = await (await fetch(`${provider.url}/dev/video/api/videos?project=555555`)).json()
  expect(held).toMatchObject({ items: [{ length, sha256: hash.digest('hex'), privacy: 'private' }] })
  const [quota] = await database.sql`SELECT used FROM gateway.video_quota WHERE project = '555555'`
  expect(quota).toMatchObject({ used: 1 })
}, 600_000)
