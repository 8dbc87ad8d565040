import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Media, Upload } from '#social/types'
import { eventually, killRest } from '../boot/program.ts'
import { claimVideo } from '../social/hostile/boxes.ts'
import { writeHostileFiles } from '../social/hostile/files.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { newPublisher, type Publisher } from '../support/publisher.ts'
import { longTimeouts, serve, type Served } from '../support/served.ts'
import { scaleTime } from '../support/time-scale.ts'
import { bearer } from '../support/world.ts'

// Files of one organization that are made to exhaust a server, beside the uploads of another one.

let fresh: TestDatabase
let server: Served
let attacker: Publisher
let victim: Publisher
beforeAll(async () => {
  fresh = await freshDatabase()
  const env = { ...longTimeouts, RATE_LIMIT_UPLOADS: '100000', RATE_LIMIT_READS: '100000', RATE_LIMIT_WRITES: '100000' }
  server = await serve({ databaseUrl: fresh.url, env })
  attacker = await newPublisher(server.url)
  victim = await newPublisher(server.url)
})
afterAll(async () => {
  await killRest()
  await fresh.drop()
})

const send = (who: Publisher, path: string, method: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { method, body, headers: { ...bearer(who.token), 'tus-resumable': '1.0.0', ...headers } })

/** Sends a file in one chunk, and returns the path of its upload. */
async function upload(who: Publisher, bytes: Uint8Array): Promise<string> {
  const length = { 'upload-length': String(bytes.byteLength) }
  const created = await send(who, `/api/uploads?brandId=${who.brandId}`, 'POST', '', length)
  expect(created.status).toBe(201)
  const path = created.headers.get('location') ?? ''
  const chunk = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
  expect((await send(who, path, 'PATCH', new Blob([new Uint8Array(bytes)]), chunk)).status).toBe(204)
  return path
}

async function uploadImage(who: Publisher, bytes: Uint8Array): Promise<number> {
  const form = new FormData()
  form.set('brandId', who.brandId)
  form.set('file', new File([new Uint8Array(bytes)], 'image'))
  const answer = await send(who, '/api/media', 'POST', form)
  await answer.body?.cancel()
  return answer.status
}

const read = async <Answer>(who: Publisher, path: string): Promise<Answer> =>
  (await fetch(server.url + path, { headers: bearer(who.token) })).json()

/** What became of an upload; null while it is being processed. */
async function outcomeOf(who: Publisher, path: string): Promise<{ status: string; failure: string | null } | null> {
  const file = await read<Upload>(who, path)
  if (file.status === 'failed') return file
  const media = file.mediaId && (await read<Media>(who, `/api/media/${file.mediaId}`))
  return media && media.status !== 'processing' ? media : null
}

/** Milliseconds until an image is stored, and a video is read. */
async function time(who: Publisher, image: Uint8Array): Promise<{ image: number; video: number }> {
  const began = performance.now()
  expect(await uploadImage(who, image)).toBe(201)
  const stored = performance.now()
  const path = await upload(who, claimVideo())
  expect(await eventually(async () => (await outcomeOf(who, path)) !== null, 300_000)).toBe(true)
  return { image: stored - began, video: performance.now() - stored }
}

const memory = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1000

test('SOC-30 60 hostile files of an organization delay uploads of another organization by less than 2 s, keep the server under 400 MB, and are all settled in words', async () => {
  const files = await writeHostileFiles()
  expect(files.length).toBe(60)
  const image = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#b5523b' } })
    .png()
    .toBuffer()
  await time(victim, image)
  const quiet = await time(victim, image)
  let peak = memory()
  const watch = setInterval(() => (peak = Math.max(peak, memory())), 50)
  const waiting = [...files]
  const sent = new Map<string, string>()
  const attack = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, bytes] = next
      // Both ways into the library at once.
      const direct = uploadImage(attacker, bytes)
      sent.set(name, await upload(attacker, bytes))
      expect(await direct).not.toBe(500)
    }
  }
  const attacking = Promise.all([attack(), attack(), attack()])
  const outcomes = async () =>
    Promise.all([...sent].map(async ([name, path]) => [name, await outcomeOf(attacker, path)] as const))
  let isOver = false
  const settle = async () => {
    await attacking
    // Rarely, and only those that are pending: asking for all of them again and again would itself be the load.
    for (let pending = [...sent]; pending.length > 0; await Bun.sleep(500)) {
      const answers = await Promise.all(pending.map(([, path]) => outcomeOf(attacker, path)))
      pending = pending.filter((_, at) => answers[at] === null)
    }
  }
  const settled = settle().finally(() => (isOver = true))
  const delayed = { image: 0, video: 0 }
  while (!isOver) {
    const now = await time(victim, image)
    delayed.image = Math.max(delayed.image, now.image)
    delayed.video = Math.max(delayed.video, now.video)
  }
  await settled
  clearInterval(watch)
  expect(delayed.image - quiet.image).toBeLessThan(scaleTime(2000))
  expect(delayed.video - quiet.video).toBeLessThan(scaleTime(2000))
  expect(peak).toBeLessThan(400)
  for (const [name, outcome] of await outcomes()) {
    if (outcome?.status === 'failed') expect(outcome.failure, name).toMatch(/^[A-Z].{20,}\.$/)
    expect(outcome?.failure ?? '', name).not.toContain('could not be processed')
  }
}, 900_000)
