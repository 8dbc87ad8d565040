import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import type { Upload } from '#social/types'
import { eventually, killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { scaleTime } from '../support/time-scale.ts'
import { newPublisher } from '../support/publisher.ts'
import { serve, type Served } from '../support/served.ts'
import { bearer } from '../support/world.ts'
import { bytesFrom, sending } from './upload-file.ts'

// A large file sent to server processes: one is killed in the middle, and none keeps the file in memory.

const long = process.env['TEST_LONG'] === 'true'
const mebibyte = 1024 * 1024
const length = (long ? 1024 : 128) * mebibyte

let fresh: TestDatabase
let database: DatabaseHandle
let servers: Served[]
let headers: Record<string, string>
let brandId: string

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 2)
  const env = { UPLOAD_LEASE_MS: String(scaleTime(1000)) }
  servers = await Promise.all([1, 2].map(() => serve({ databaseUrl: fresh.url, env })))
  const publisher = await newPublisher(at(0))
  headers = { ...bearer(publisher.token), 'tus-resumable': '1.0.0' }
  brandId = publisher.brandId
})
afterAll(async () => {
  await killRest()
  await database.close()
  await fresh.drop()
})

const at = (server: number): string => servers[server]?.url ?? ''

async function begin(bytes = length): Promise<string> {
  const requested = { method: 'POST', headers: { ...headers, 'upload-length': String(bytes) } }
  const answer = await fetch(`${at(0)}/api/uploads?brandId=${brandId}`, requested)
  expect(answer.status).toBe(201)
  return answer.headers.get('location') ?? ''
}

const chunkHeaders = (offset: number) => ({
  ...headers,
  'upload-offset': String(offset),
  'content-type': 'application/offset+octet-stream',
})

const append = (server: number, path: string, offset: number, body: BodyInit) =>
  fetch(at(server) + path, { method: 'PATCH', headers: chunkHeaders(offset), body })

/** Sends the beginning from a process, which is killed as soon as the server has a part of it. */
async function sendAndKill(server: number, path: string, end: number): Promise<void> {
  const named = Object.entries(chunkHeaders(0)).map(([name, value]) => `${name}: ${value}`)
  const client = Bun.spawn(
    [
      process.execPath,
      '--no-orphans',
      join(import.meta.dir, 'upload-client.ts'),
      at(server) + path,
      `${end}`,
      ...named,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const has = await eventually(async () => (await progress(server, path)) >= end / 2, 120_000)
  client.kill('SIGKILL')
  await client.exited
  expect(has).toBe(true)
}

/** Memory of a server in bytes; its maximum with `VmHWM`. */
function memory(server: number, line: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${servers[server]?.pid}/status`, 'utf8')
  return Number(new RegExp(`${line}:\\s+(\\d+)`).exec(status)?.[1]) * 1024
}

/** Resets a server's maximum and returns its current memory. */
function startMeasuring(server: number): number {
  writeFileSync(`/proc/${servers[server]?.pid}/clear_refs`, '5')
  return memory(server, 'VmRSS')
}

/** Megabytes of a server's maximum above its memory at that time. */
const peakSince = (server: number, started: number): number => (memory(server, 'VmHWM') - started) / 1e6

const progress = async (server: number, path: string): Promise<number> => {
  const answer = await fetch(at(server) + path, { method: 'HEAD', headers })
  return Number(answer.headers.get('upload-offset'))
}

test('SOC-30 second sender of an upload on another server gets 423 until the first one finishes', async () => {
  const path = await begin(4)
  const gate = Promise.withResolvers<void>()
  let sent = 0
  const slow = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      if (++sent === 2) await gate.promise
      if (sent > 2) controller.close()
      else controller.enqueue(new Uint8Array(1))
    },
  })
  const first = append(0, path, 0, slow)
  const isLocked = async () => {
    const [row] = await database.sql`SELECT writer FROM social.uploads WHERE writer IS NOT NULL`
    return row !== undefined
  }
  expect(await eventually(isLocked)).toBe(true)
  const second = await append(1, path, 0, 'xxxx')
  expect([second.status, await second.json()]).toMatchObject([423, { code: 'upload_locked' }])
  // Longer than a lease: the receiving server renews it.
  await Bun.sleep(scaleTime(1200))
  expect((await append(1, path, 0, 'xxxx')).status).toBe(423)
  gate.resolve()
  expect((await first).status).toBe(204)
  expect((await append(1, path, 2, 'xx')).status).toBe(204)
})

test(`SOC-30 upload of ${length / mebibyte} MiB survives a killed client, a killed server and a change of server, using less than 64 MB of memory on each`, async () => {
  const path = await begin()
  const started = startMeasuring(0)
  await sendAndKill(0, path, length / 4)
  const isFree = (server: number) => async () =>
    (await append(server, path, await progress(server, path), new Uint8Array(0))).status === 204
  expect(await eventually(isFree(0), 120_000)).toBe(true)
  const sent = await progress(0, path)
  expect(sent).toBeWithin(length / 8, length / 4 + 1)
  const killed = Promise.withResolvers<void>()
  // This server never receives the rest.
  const cut = append(0, path, sent, sending(bytesFrom(sent, (length / 4) * 3), killed.promise)).catch(() => null)
  expect(await eventually(async () => (await progress(1, path)) >= length / 2, 120_000)).toBe(true)
  expect(peakSince(0, started)).toBeLessThan(64)
  servers[0]?.kill('SIGKILL')
  killed.resolve()
  expect(await cut).toBeNull()
  const kept = await progress(1, path)
  expect(kept).toBeWithin(length / 2, (length / 4) * 3 + 1)
  // The lease of the dead server expires.
  expect(await eventually(isFree(1), 120_000)).toBe(true)
  const resumed = startMeasuring(1)
  const answer = await append(1, path, kept, sending(bytesFrom(kept, length)))
  expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, String(length)])
  expect(peakSince(1, resumed)).toBeLessThan(64)
  const finishing = startMeasuring(1)
  const read = async () => (await (await fetch(at(1) + path, { headers })).json()) as Upload
  expect(await eventually(async () => (await read()).status === 'completed', 120_000)).toBe(true)
  expect(peakSince(1, finishing)).toBeLessThan(64)
  const expected = new Bun.CryptoHasher('sha256')
  for (const bytes of bytesFrom(0, length)) expected.update(bytes)
  const sha256 = expected.digest('hex')
  const upload = await read()
  expect(upload).toMatchObject({ contentType: 'video/mp4', sha256 })
  const file = await fetch(`${at(1)}/api/media/${upload.mediaId}/file`, { headers })
  const received = new Bun.CryptoHasher('sha256')
  let size = 0
  for await (const bytes of file.body ?? []) {
    received.update(bytes)
    size += bytes.byteLength
  }
  expect([file.status, size, received.digest('hex')]).toEqual([200, length, sha256])
}, 600_000)
