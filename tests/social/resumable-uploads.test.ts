import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PDFDocument from 'pdfkit'
import S3rver from 's3rver'
import sharp from 'sharp'
import { Upload as TusUpload } from 'tus-js-client'
import { openStorage } from '#lib/storage.ts'
import type { Media, MediaStorage, Upload } from '#social/types'
import { sweepFiles } from '../../src/social/media/jobs/sweep-files.job.ts'
import { processMedia } from '../../src/social/media/jobs/process.job.ts'
import { exportMedia } from '../../src/social/media/export.ts'
import { finishUpload } from '../../src/social/uploads/finish.ts'
import { eventually } from '../boot/program.ts'
import { exhaustRetries } from '../support/exhaust-retries.ts'
import { bearer, openWorld, type World } from '../support/world.ts'

// Files that arrive in chunks with tus 1.0, as its clients see it.

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const hour = 60 * 60 * 1000
const tus = { 'tus-resumable': '1.0.0' }
const digestOf = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** The first bytes of an MP4. */
const video = (size: number): Uint8Array<ArrayBuffer> => {
  const bytes = crypto.getRandomValues(new Uint8Array(size))
  bytes.set(Buffer.from('\0\0\0\x20ftypisom'))
  return bytes
}

const create = (length: number, headers: Record<string, string> = {}, of: Pick<World['ada'], 'fetch'> = world.ada) =>
  of.fetch(`POST /api/uploads?brandId=${world.ada.things.brands}`, new Blob([]), {
    ...tus,
    'upload-length': String(length),
    ...headers,
  })

const begin = async (length: number, headers = {}): Promise<Upload> => {
  const answer = await create(length, headers)
  expect(answer.status).toBe(201)
  return answer.json()
}

const asChunk = { ...tus, 'content-type': 'application/offset+octet-stream' }
const append = (id: string, offset: number, bytes: Uint8Array<ArrayBuffer> | ReadableStream, headers = {}) => {
  const body = bytes instanceof Uint8Array ? new Blob([bytes]) : bytes
  return world.ada.fetch(`PATCH /api/uploads/${id}`, body, { ...asChunk, 'upload-offset': String(offset), ...headers })
}
const head = (id: string) => world.ada.fetch(`HEAD /api/uploads/${id}`, undefined, tus)
const read = (id: string) => world.ada.fetchJson<Upload>(`GET /api/uploads/${id}`)
const problem = async (answer: Response) => [answer.status, (await answer.json()).code]

const job = (ahead = 0) => ({
  ...world.provided,
  database: world.database,
  now: () => new Date(Date.now() + ahead),
})
const finish = (id: string) => finishUpload.run({ ...job(), input: { id } })
const sweep = (ahead = 0) => sweepFiles.run({ ...job(ahead), input: {} })
const keys = async () => (await Array.fromAsync(world.provided.storage.keys())).sort()

test('SOC-30 video sent in chunks is stored as one file, with its detected type and checksum, and supports ranges', async () => {
  await sweep()
  const before = await keys()
  const bytes = video(300_000)
  const metadata = `filename ${base64('Röstung.mp4')},is_private`
  const created = await create(bytes.byteLength, { 'upload-metadata': metadata })
  expect(created.headers.get('location')).toMatch(/^\/api\/uploads\/[0-9a-f-]{36}$/)
  const { id } = (await created.json()) as Upload
  const first = await append(id, 0, bytes.slice(0, 100_000))
  expect([first.status, first.headers.get('upload-offset'), first.headers.get('tus-resumable')]).toEqual([
    204,
    '100000',
    '1.0.0',
  ])
  const reported = await head(id)
  expect([reported.status, reported.headers.get('upload-offset'), reported.headers.get('upload-length')]).toEqual([
    200,
    '100000',
    '300000',
  ])
  expect(reported.headers.get('upload-metadata')).toBe(metadata)
  expect(reported.headers.get('cache-control')).toBe('no-store')
  const expires = Date.parse(reported.headers.get('upload-expires') ?? '')
  expect(expires).toBeWithin(Date.now() + 23 * hour, Date.now() + 25 * hour)
  expect((await append(id, 100_000, bytes.slice(100_000))).headers.get('upload-offset')).toBe('300000')
  expect(await read(id)).toMatchObject({ status: 'processing', received: 300_000, name: 'Röstung.mp4' })
  await finish(id)
  const upload = await read(id)
  expect(upload).toMatchObject({ status: 'completed', contentType: 'video/mp4', sha256: digestOf(bytes) })
  expect(await world.ada.fetchJson<Media>(`GET /api/media/${upload.mediaId}`)).toMatchObject({
    kind: 'video',
    name: 'Röstung.mp4',
    bytes: 300_000,
    sha256: digestOf(bytes),
    createdBy: world.ada.id,
  })
  const file = await world.vera.fetch(`GET /api/uploads/${id}/file`)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  expect(digestOf(await file.bytes())).toBe(digestOf(bytes))
  const part = await world.vera.fetch(`GET /api/uploads/${id}/file`, undefined, { range: 'bytes=99990-100009' })
  expect([part.status, await part.bytes()]).toEqual([206, bytes.slice(99_990, 100_010)])
  await sweep()
  expect((await keys()).length).toBe(before.length + 1)
  await world.ada.fetchJson(`DELETE /api/uploads/${id}`, undefined, 204)
  await sweep()
  expect((await head(id)).status).toBe(404)
  const kept = await world.vera.fetch(`GET /api/media/${upload.mediaId}/file`, undefined, { range: 'bytes=0-9' })
  expect([kept.status, await kept.bytes()]).toEqual([206, bytes.slice(0, 10)])
  await world.ada.fetchJson(`DELETE /api/media/${upload.mediaId}`, undefined, 204)
  await sweep()
  expect(await keys()).toEqual(before)
})

test('SOC-30 video that a server of the previous release stored as an upload moves to the library, with its file', async () => {
  const bytes = video(1000)
  const { id } = await begin(bytes.byteLength)
  await append(id, 0, bytes)
  await finish(id)
  const { mediaId } = await read(id)
  // As the previous release left it.
  await world.database.sql`
    UPDATE social.uploads SET file_id = media_id, media_id = NULL, expires_at = NULL WHERE id = ${id}`
  await world.database.sql`DELETE FROM social.media WHERE id = ${mediaId}`
  const before = await world.ada.fetch(`GET /api/uploads/${id}/file`)
  expect(digestOf(await before.bytes())).toBe(digestOf(bytes))
  await sweep()
  await sweep()
  expect(await read(id)).toMatchObject({ mediaId, expiresAt: expect.any(String) })
  const file = await world.vera.fetch(`GET /api/media/${mediaId}/file`)
  expect([file.status, digestOf(await file.bytes())]).toEqual([200, digestOf(bytes)])
})

test('SOC-30 PDF sent in chunks is added to the library as a document, and other text isn’t one', async () => {
  const send = async (text: string) => {
    const bytes = new TextEncoder().encode(text)
    const { id } = await begin(bytes.byteLength)
    await append(id, 0, bytes)
    await finish(id)
    return read(id)
  }
  const { mediaId } = await send('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n')
  expect(await world.ada.fetchJson<Media>(`GET /api/media/${mediaId}`)).toMatchObject({
    kind: 'document',
    contentType: 'application/pdf',
    width: null,
  })
  const { items } = await world.ada.fetchJson<{ items: Media[] }>('GET /api/media?kind=document')
  expect(items.map(({ id }) => id)).toEqual([mediaId ?? ''])
  const file = await world.ada.fetch(`GET /api/media/${mediaId}/file`)
  expect(file.headers.get('content-disposition')).toStartWith('attachment')
  expect(await send('%PDF is a format')).toMatchObject({ status: 'failed', mediaId: null })
})

test('SOC-30 PDF has a preview of its first page as its copies, which its storage counts, and an encrypted one has none', async () => {
  const document = new PDFDocument({ size: [300, 600], margin: 0 })
  document.rect(0, 0, 300, 600).fill('#00f').addPage().text('Second page')
  document.end()
  const readFile = async (bytes: Uint8Array<ArrayBuffer>) => {
    const { id } = await begin(bytes.byteLength, { 'upload-metadata': `filename ${base64('menu.pdf')}` })
    await append(id, 0, bytes)
    await finish(id)
    const { mediaId } = await read(id)
    const input = {
      id: mediaId ?? '',
      brandId: world.ada.things.brands,
      organizationId: world.ada.things.organizations,
    }
    await processMedia.run({ ...job(), input })
    return world.ada.fetchJson<Media>(`GET /api/media/${mediaId}`)
  }
  const bytes = new Uint8Array(Buffer.concat(await Array.fromAsync(document)))
  const stored = () => world.ada.fetchJson<MediaStorage>(`GET /api/media/storage?brandId=${world.ada.things.brands}`)
  const before = await stored()
  const file = await readFile(bytes)
  expect(file).toMatchObject({ kind: 'document', status: 'ready', pages: 2, width: null })
  const { thumb, preview } = file.renditions
  expect([thumb?.height, preview?.height]).toEqual([320, 1280])
  expect((await stored()).bytes - before.bytes).toBe(file.bytes + (thumb?.bytes ?? 0) + (preview?.bytes ?? 0))
  const picture = await world.vera.fetch(`GET /api/media/${file.id}/file/preview`)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp'])
  const { channels } = await sharp(await picture.bytes()).stats()
  expect(channels.map(({ mean }) => mean > 200)).toEqual([false, false, true])
  expect((await world.mallory.fetch(`GET /api/media/${file.id}/file/preview`)).status).toBe(404)
  const encrypted = new PDFDocument({ userPassword: 'secret' })
  encrypted.end()
  const sealed = await readFile(new Uint8Array(Buffer.concat(await Array.fromAsync(encrypted))))
  expect(sealed).toMatchObject({ status: 'ready', renditions: {} })
})

test('SOC-30 image sent in chunks is added to the library, with its alt text', async () => {
  const png = new Uint8Array(
    await sharp({ create: { width: 9, height: 7, channels: 3, background: '#b5523b' } })
      .png()
      .toBuffer(),
  )
  const { id } = await begin(png.byteLength, {
    'upload-metadata': `filename ${base64('red.png')},alt ${base64('A red field')}`,
  })
  for (let at = 0; at < png.byteLength; at += 40)
    expect((await append(id, at, png.slice(at, at + 40))).status).toBe(204)
  await finish(id)
  const upload = await read(id)
  expect(upload).toMatchObject({ status: 'completed', contentType: 'image/png', sha256: digestOf(png) })
  const media = await world.ada.fetchJson<Media>(`GET /api/media/${upload.mediaId}`)
  expect(media).toMatchObject({ width: 9, height: 7, name: 'red.png', alt: 'A red field', createdBy: world.ada.id })
  // A job that runs again finds nothing to do.
  await finish(id)
  expect((await read(id)).mediaId).toBe(upload.mediaId)
})

test.each([
  ['of another kind', new TextEncoder().encode('#!/bin/sh\necho ftyp'), 'Unsupported file type'],
  ['that is broken', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]), ''],
])('SOC-30 a file %s is rejected with a reason after its upload, and deleted', async (_, bytes, why) => {
  await sweep(2 * hour)
  const before = await keys()
  const { id } = await begin(bytes.byteLength)
  expect((await append(id, 0, bytes)).status).toBe(204)
  await finish(id)
  const upload = await read(id)
  expect([upload.status, upload.mediaId]).toEqual(['failed', null])
  expect(upload.failure).toStartWith(why)
  await sweep()
  expect(await keys()).toEqual(before)
})

test('SOC-30 a chunk at an offset other than the end returns 409 with the right offset', async () => {
  const { id } = await begin(10)
  for (const offset of [1, 10]) {
    const refused = await append(id, offset, new Uint8Array(1))
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'upload_offset_mismatch', received: 0 }])
    expect(refused.headers.get('tus-resumable')).toBe('1.0.0')
  }
  expect((await append(id, 0, new Uint8Array(4))).status).toBe(204)
  expect(await problem(await append(id, 0, new Uint8Array(4)))).toEqual([409, 'upload_offset_mismatch'])
  expect((await read(id)).received).toBe(4)
  expect((await append(id, 4, new Uint8Array(6))).status).toBe(204)
  expect(await problem(await append(id, 10, new Uint8Array(1)))).toEqual([409, 'upload_complete'])
})

test('SOC-30 a chunk beyond the declared length returns 413, and its excess isn’t stored', async () => {
  const { id } = await begin(10)
  expect(await problem(await append(id, 0, new Uint8Array(11)))).toEqual([413, 'body_too_large'])
  expect((await read(id)).received).toBe(0)
  expect((await append(id, 0, new Uint8Array(10))).status).toBe(204)
})

test('SOC-30 bytes received before a chunk was interrupted are stored', async () => {
  const { id } = await begin(100)
  let sent = 0
  const broken = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sent++ === 0) controller.enqueue(new Uint8Array(30))
      else controller.error(new Error('The client went away'))
    },
  })
  expect((await append(id, 0, broken)).status).toBe(400)
  expect((await head(id)).headers.get('upload-offset')).toBe('30')
  expect((await append(id, 30, new Uint8Array(70))).status).toBe(204)
})

test('SOC-30 other requests and deletion return 423 while a request is uploading', async () => {
  const { id } = await begin(100)
  const gate = Promise.withResolvers<void>()
  const reading = Promise.withResolvers<void>()
  let sent = 0
  const slow = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        reading.resolve()
        await gate.promise
        if (sent++ === 0) controller.enqueue(new Uint8Array(50))
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const first = append(id, 0, slow)
  await reading.promise
  const second = await append(id, 0, new Uint8Array(100))
  expect(second.headers.get('retry-after')).toBe('5')
  expect(await problem(second)).toEqual([423, 'upload_locked'])
  expect(await problem(await world.ada.fetch(`DELETE /api/uploads/${id}`))).toEqual([423, 'upload_locked'])
  expect((await head(id)).status).toBe(200)
  gate.resolve()
  expect((await first).status).toBe(204)
  expect((await append(id, 50, new Uint8Array(50))).status).toBe(204)
})

test('SOC-30 upload that is deleted while its video is stored is deleted once, and the video stays', async () => {
  const { id } = await begin(100)
  await append(id, 0, video(100))
  const before = await keys()
  const isFinished = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const transaction: typeof world.database.transaction = (work) =>
    world.database.transaction(async (tx) => {
      const result = await work(tx)
      isFinished.resolve()
      await gate.promise
      return result
    })
  const finishing = finishUpload.run({ ...job(), database: { ...world.database, transaction }, input: { id } })
  await isFinished.promise
  const [file] = (await keys()).filter((key) => !before.includes(key))
  expect(file).toEndWith('.original')
  const deleting = [1, 2].map(() => world.ada.fetch(`DELETE /api/uploads/${id}`))
  const waiting = async () => {
    const [row] = await world.database.sql`
      SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    return row?.['count'] === 2
  }
  expect(await eventually(waiting)).toBe(true)
  gate.resolve()
  await finishing
  expect((await Promise.all(deleting)).map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    204, 404,
  ])
  await sweep()
  expect(await keys()).toContain(file ?? '')
})

async function complete(): Promise<Upload> {
  const { id } = await begin(1_000)
  await append(id, 0, video(1_000))
  await finish(id)
  return read(id)
}

test('SOC-30 upload and its file are deleted by two requests at once without a deadlock', async () => {
  const { sql } = world.database
  const { id, mediaId } = await complete()
  const waiting = (count: number) => async () => {
    const locked = await sql`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    return locked.length === count
  }
  const deadlocks = async () =>
    (await sql`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`)[0]?.['deadlocks']
  const before = await deadlocks()
  const deleting = await sql.begin(async (holder) => {
    await holder`SELECT FROM social.uploads WHERE id = ${id} FOR UPDATE`
    const both = world.ada.fetch(`DELETE /api/uploads/${id}?media=true`)
    expect(await eventually(waiting(1))).toBe(true)
    const file = world.ada.fetch(`DELETE /api/media/${mediaId}`)
    expect(await eventually(waiting(2))).toBe(true)
    return [both, file]
  })
  expect((await Promise.all(deleting)).map(({ status }) => status)).toEqual([204, 404])
  // Statistics are written after a second at the latest.
  expect(await eventually(async () => (await deadlocks()) !== before, 1_200)).toBe(false)
})

test('SOC-30 upload is deleted with the file that it became, unless a post uses it', async () => {
  const deleteWith = ({ id }: Upload) => world.ada.fetch(`DELETE /api/uploads/${id}?media=true`)
  const [unused, used] = [await complete(), await complete()]
  const media = [{ mediaId: used.mediaId }]
  const post = { brandId: world.ada.things.brands, provider: 'sandbox', text: 'Roast', media }
  await world.ada.fetchJson('POST /api/posts', post, 201)
  expect((await deleteWith(unused)).status).toBe(204)
  expect((await world.ada.fetch(`GET /api/media/${unused.mediaId}`)).status).toBe(404)
  expect(await problem(await deleteWith(used))).toEqual([409, 'media_in_use'])
  expect((await read(used.id)).mediaId).toBe(used.mediaId)
  const kept = await complete()
  expect((await world.ada.fetch(`DELETE /api/uploads/${kept.id}`)).status).toBe(204)
  expect((await world.ada.fetch(`GET /api/media/${kept.mediaId}`)).status).toBe(200)
})

test('SOC-30 a request that lost its lock stores no more bytes', async () => {
  const { id } = await begin(100)
  let sent = 0
  const stolen = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (sent++ > 0) return controller.close()
        // As after a pause of the process that was longer than the lease.
        await world.database.sql`UPDATE social.uploads SET writer = ${id} WHERE id = ${id}`
        controller.enqueue(new Uint8Array(50))
      },
    },
    { highWaterMark: 0 },
  )
  expect(await problem(await append(id, 0, stolen))).toEqual([423, 'upload_locked'])
  expect((await read(id)).received).toBe(0)
})

test('SOC-30 an organization can send four uploads at a time: a fifth returns 423, and tus clients retry by themselves', async () => {
  const gate = Promise.withResolvers<void>()
  let reading = 0
  const held = Array.from({ length: 4 }, async () => {
    const { id } = await begin(10)
    const body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          reading += 1
          await gate.promise
          controller.enqueue(new Uint8Array(10))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    return append(id, 0, body)
  })
  expect(await eventually(async () => reading === 4)).toBe(true)
  const { id } = await begin(10)
  const refused = await append(id, 0, new Uint8Array(10))
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(await problem(refused)).toEqual([423, 'uploads_in_progress'])
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => world.handle(request, '203.0.113.9') })
  const done = Promise.withResolvers<void>()
  const upload = new TusUpload(Buffer.from(video(1000)), {
    endpoint: `${server.url}api/uploads?brandId=${world.ada.things.brands}`,
    headers: world.ada.credential,
    retryDelays: [0, 50, 50],
    onAfterResponse: (_, answer) => void (answer.getStatus() === 423 && gate.resolve()),
    onSuccess: () => done.resolve(),
    onError: done.reject,
  })
  upload.start()
  await done.promise.finally(() => server.stop(true))
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([204, 204, 204, 204])
  expect((await append(id, 0, new Uint8Array(10))).status).toBe(204)
})

/** Sends 5 of 10 bytes of a new upload, then nothing more until `end`. */
async function sendHalf(of: Pick<World['ada'], 'fetch'>, brandId = world.ada.things.brands) {
  const created = await of.fetch(`POST /api/uploads?brandId=${brandId}`, new Blob([]), {
    ...tus,
    'upload-length': '10',
  })
  const { id } = (await created.json()) as Upload
  const waiting = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  let sent = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (++sent === 1) return controller.enqueue(new Uint8Array(5))
        waiting.resolve()
        await gate.promise
        controller.enqueue(new Uint8Array(5))
      },
    },
    { highWaterMark: 0 },
  )
  const answer = of.fetch(`PATCH /api/uploads/${id}`, body, { ...asChunk, 'upload-offset': '0' })
  await waiting.promise
  return { id, answer, end: () => gate.resolve() }
}

test('SOC-30 sign-out ends a running upload with 401; it can be resumed in another session', async () => {
  const session = await world.ada.signIn()
  const { id, answer, end } = await sendHalf(session)
  await session.fetch('POST /api/auth/logout', {})
  expect((await answer).status).toBe(401)
  end()
  expect((await read(id)).received).toBe(5)
  expect((await append(id, 5, new Uint8Array(5))).status).toBe(204)
})

test('SOC-30 PLT-23 a running upload ends with 404 when its brand moves to another organization', async () => {
  const { id: brandId } = await world.ada.fetchJson<{ id: string }>(
    'POST /api/brands',
    { name: 'Moving', timeZone: 'Europe/Berlin' },
    201,
  )
  const { id, answer, end } = await sendHalf(world.ada, brandId)
  const { sql } = world.database
  await sql`
    UPDATE social.brands SET platform_org_id = (SELECT platform_org_id FROM social.brands WHERE id = ${world.mallory.things.brands})
    WHERE id = ${brandId}`
  expect((await answer).status).toBe(404)
  end()
  expect((await world.mallory.fetchJson<Upload>(`GET /api/uploads/${id}`)).received).toBe(5)
})

test('SOC-30 PLT-23 a running upload ends with 404 when its session switches to another organization', async () => {
  const { cookie } = await world.ada.signIn()
  const send: World['ada']['fetch'] = (route, body, headers) =>
    world.stranger.fetch(route, body, { ...headers, cookie, 'sec-fetch-site': 'same-origin' })
  const { id, answer, end } = await sendHalf({ fetch: send })
  // It switches to a new organization at once.
  expect((await send('POST /api/organizations', { name: 'Elsewhere' })).status).toBe(201)
  expect((await answer).status).toBe(404)
  end()
  expect((await read(id)).received).toBe(5)
})

test('SOC-30 a 33rd small chunk returns 409 and isn’t saved; large chunks and the last one are accepted', async () => {
  const length = 300 * 1024
  const { id } = await begin(length)
  for (let at = 0; at < 32; at++) expect((await append(id, at, new Uint8Array(1))).status).toBe(204)
  const before = await keys()
  const refused = await append(id, 32, new Uint8Array(1))
  expect([refused.status, await refused.json()]).toMatchObject([
    409,
    { code: 'too_many_upload_chunks', received: 32, detail: expect.stringContaining('at least 256 KiB') },
  ])
  expect(await keys()).toEqual(before)
  expect((await append(id, 32, new Uint8Array(256 * 1024))).headers.get('upload-offset')).toBe(String(32 + 256 * 1024))
  expect((await append(id, 32 + 256 * 1024, new Uint8Array(1))).status).toBe(409)
  expect((await append(id, 32 + 256 * 1024, new Uint8Array(length - 32 - 256 * 1024))).status).toBe(204)
  expect((await read(id)).status).toBe('processing')
})

test('SOC-30 an expired upload is not deleted while a request is uploading to it', async () => {
  const { id } = await begin(10)
  const reading = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        reading.resolve()
        await gate.promise
        controller.enqueue(new Uint8Array(10))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const sending = append(id, 0, body)
  await reading.promise
  await world.database.sql`UPDATE social.uploads SET expires_at = now() - interval '1 s' WHERE id = ${id}`
  await sweep()
  gate.resolve()
  expect((await sending).status).toBe(204)
  expect((await read(id)).received).toBe(10)
})

test('SOC-30 all chunks of deleted uploads are deleted in one sweep, except one that can’t be', async () => {
  await sweep(2 * hour)
  const { sql } = world.database
  const prefix = `social/${world.ada.things.brands}/`
  await sql`
    INSERT INTO social.loose_files (key, due_at)
    SELECT ${prefix} || gen_random_uuid(), now() - interval '1 s' FROM generate_series(1, 1100)`
  const left = async () =>
    (await sql`SELECT key FROM social.loose_files WHERE due_at <= now() ORDER BY key`).map((row) => row['key'])
  const [stuck] = await left()
  const { storage } = world.provided
  const failing: typeof storage = {
    ...storage,
    delete: (key) => (key.startsWith(stuck) ? Promise.reject(new Error('EACCES')) : storage.delete(key)),
  }
  await expect(sweepFiles.run({ ...job(), storage: failing, input: {} })).rejects.toThrow('1 orphaned files')
  expect(await left()).toEqual([stuck])
  await sweep()
  expect(await left()).toEqual([])
})

test('SOC-30 PLT-30 an upload fails with a reason when its retries are used up, and its chunks are deleted', async () => {
  const { id } = await begin(100)
  await append(id, 0, video(100))
  const storage = { ...world.provided.storage, read: () => Promise.reject(new Error('The object storage is away')) }
  const away = { ...job(), storage, input: { id } }
  await expect(finishUpload.run(away)).rejects.toThrow('away')
  expect((await read(id)).status).toBe('processing')
  await exhaustRetries(finishUpload, id, world.database, world.provided)
  expect(await read(id)).toMatchObject({
    status: 'failed',
    failure: 'The file could not be processed. Upload it again.',
  })
  expect([...(await world.database.sql`SELECT FROM social.upload_parts WHERE upload_id = ${id}`)]).toEqual([])
})

test('SOC-30 a sweep is enqueued when an upload is finished', async () => {
  const { sql } = world.database
  const sweeps = async () => {
    const [row] = await sql`SELECT count(*)::int AS count FROM pgboss.job WHERE name = ${sweepFiles.name}`
    return row?.['count']
  }
  const { id } = await begin(100)
  await append(id, 0, video(100))
  await sql`DELETE FROM pgboss.job WHERE name = ${sweepFiles.name}`
  await finish(id)
  expect((await read(id)).status).toBe('completed')
  expect(await sweeps()).toBe(1)
})

test.each([
  ['no length', { 'upload-length': '' }, 422],
  ['a length that is not a number', { 'upload-length': '1e3' }, 422],
  ['an empty file', { 'upload-length': '0' }, 422],
  ['a deferred length', { 'upload-defer-length': '1' }, 422],
  ['more than 4 GiB', { 'upload-length': String(4 * 1024 ** 3 + 1) }, 413],
  ['metadata without valid base64', { 'upload-metadata': 'filename ä' }, 422],
  ['metadata that is too long', { 'upload-metadata': `filename ${'QUJD'.repeat(1_100)}` }, 422],
  ['another version of the protocol', { 'tus-resumable': '0.2.2' }, 412],
])('SOC-30 an upload with %s is rejected', async (_, headers, status) => {
  const answer = await create(10, headers)
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(answer.headers.get('tus-version')).toBe('1.0.0')
})

test('SOC-30 an upload without metadata returns no metadata', async () => {
  const { id } = await begin(10)
  expect((await head(id)).headers.has('upload-metadata')).toBe(false)
})

test('SOC-30 a chunk without its offset returns 422, one of a different type 415, and one for an unknown upload 404', async () => {
  const { id } = await begin(10)
  const send = (headers: Record<string, string>, to = id) =>
    world.ada.fetch(`PATCH /api/uploads/${to}`, new Blob(['x']), headers)
  expect((await send(asChunk)).status).toBe(422)
  expect((await send({ ...asChunk, 'upload-offset': '-1' })).status).toBe(422)
  const other = { ...tus, 'upload-offset': '0', 'content-type': 'application/octet-stream' }
  expect(await problem(await send(other))).toEqual([415, 'unsupported_media_type'])
  expect((await send({ ...asChunk, 'upload-offset': '0' }, world.ada.things.brands)).status).toBe(404)
})

test('SOC-30 the tus project’s client uploads in chunks, and resumes after a broken connection', async () => {
  const bytes = video(200_000)
  let chunks = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      if (request.method !== 'PATCH' || ++chunks !== 2) return world.handle(request, '203.0.113.9')
      await request.arrayBuffer()
      return new Response('A proxy lost it', { status: 502 })
    },
  })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const upload = new TusUpload(Buffer.from(bytes), {
    endpoint: `${server.url}api/uploads?brandId=${world.ada.things.brands}`,
    headers: world.ada.credential,
    chunkSize: 60_000,
    retryDelays: [0, 0, 0],
    metadata: { filename: 'Röstung.mp4', filetype: 'video/mp4' },
    onSuccess: () => resolve(upload.url?.split('/').at(-1) ?? ''),
    onError: reject,
  })
  upload.start()
  const id = await promise.finally(() => server.stop(true))
  expect(chunks).toBe(5)
  await finish(id)
  expect(await read(id)).toMatchObject({ status: 'completed', sha256: digestOf(bytes), name: 'Röstung.mp4' })
})

test('SOC-30 OPTIONS lists the supported tus features', async () => {
  const answer = await world.ada.fetch('OPTIONS /api/uploads')
  expect(answer.status).toBe(204)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'tus-version': '1.0.0',
    'tus-extension': 'creation,expiration,termination',
    'tus-max-size': String(4 * 1024 ** 3),
  })
})

test('PLT-23 SOC-46 an upload is private to its organization, and needs posts:write', async () => {
  const { id } = await begin(10)
  const routes = ['GET', 'HEAD', 'DELETE', 'PATCH'].map((method) => `${method} /api/uploads/${id}`)
  const headers = { ...asChunk, 'upload-offset': '0' }
  for (const route of routes) {
    const send = (who: Pick<World['ada'], 'fetch'>) =>
      who.fetch(route, route.startsWith('PATCH') ? new Blob(['x']) : undefined, headers)
    expect((await send(world.mallory)).status, route).toBe(404)
    expect((await send(world.vera)).status, route).toBe(/^(GET|HEAD)/.test(route) ? 200 : 403)
    expect((await send(world.stranger)).status, route).toBe(401)
  }
  expect((await create(10, {}, world.mallory)).status).toBe(404)
  expect((await create(10, {}, world.vera)).status).toBe(403)
  const draft = { name: 'Sender', service: 'platform-socialize', scopes: ['posts.write'] }
  const { key } = await world.ada.fetchJson<{ key: string }>('POST /api/api-keys', draft, 201)
  expect((await create(10, bearer(key))).status).toBe(201)
  expect((await read(id)).received).toBe(0)
})

test('SOC-30 an organization’s uploads are limited to 50 GB, even when they are created at the same time', async () => {
  const sizes = Array.from({ length: 14 }, () => 4 * 1024 ** 3)
  const answers = await Promise.all(sizes.map((size) => create(size)))
  const refused = answers.filter(({ status }) => status === 409)
  expect(refused.length).toBe(3)
  for (const answer of refused) expect(await problem(answer)).toEqual([409, 'upload_quota_exceeded'])
  for (const answer of answers.filter(({ status }) => status === 201))
    await world.ada.fetchJson(`DELETE ${answer.headers.get('location')}`, undefined, 204)
  expect((await create(4 * 1024 ** 3)).status).toBe(201)
})

test('SOC-30 an upload without a new chunk for a day returns 410, and is deleted with its chunks', async () => {
  await sweep(2 * hour)
  const before = await keys()
  const { id } = await begin(100)
  expect((await append(id, 0, new Uint8Array(50))).status).toBe(204)
  expect((await keys()).length).toBe(before.length + 1)
  await world.database.sql`UPDATE social.uploads SET expires_at = now() - interval '1 s' WHERE id = ${id}`
  expect(await problem(await append(id, 50, new Uint8Array(50)))).toEqual([410, 'upload_expired'])
  expect((await head(id)).status).toBe(410)
  await sweep(1000)
  expect((await head(id)).status).toBe(404)
  expect(await keys()).toEqual(before)
})

test('PLT-36 SOC-30 with S3, a chunked upload becomes one object, and its chunks are deleted', async () => {
  const home = mkdtempSync(join(tmpdir(), 'atrium-s3-'))
  const s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: home,
    configureBuckets: [{ name: 'files', configs: [] }],
  })
  const { port } = await s3.run()
  const account = {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  }
  const onDisk = { ...world.provided.storage }
  Object.assign(world.provided.storage, openStorage({ ...world.provided.config, ...account, S3_BUCKET: 'files' }))
  try {
    const bytes = video(9_000_000)
    const { id } = await begin(bytes.byteLength)
    expect((await append(id, 0, bytes.slice(0, 5_000_000))).status).toBe(204)
    expect((await keys()).length).toBe(2)
    expect((await append(id, 5_000_000, bytes.slice(5_000_000))).status).toBe(204)
    await finish(id)
    await sweep()
    expect(await read(id)).toMatchObject({ status: 'completed', sha256: digestOf(bytes) })
    expect((await keys()).length).toBe(1)
    const part = await world.ada.fetch(`GET /api/uploads/${id}/file`, undefined, { range: 'bytes=-10' })
    expect([part.status, await part.bytes()]).toEqual([206, bytes.slice(-10)])
  } finally {
    Object.assign(world.provided.storage, onDisk)
    await s3.close()
    rmSync(home, { recursive: true, force: true })
  }
})

test('SOC-30 PLT-39 videos are exported with their usual file extensions', async () => {
  const names: string[] = []
  for (const brand of ['isom', 'qt  ']) {
    const bytes = video(64)
    bytes.set(Buffer.from(brand), 8)
    const { id } = await begin(64)
    await append(id, 0, bytes)
    await finish(id)
    names.push(`${(await read(id)).mediaId}.${brand === 'isom' ? 'mp4' : 'mov'}`)
  }
  const exported = await Array.fromAsync(exportMedia(world.database.db, world.ada.things.organizations))
  expect(exported.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
})

test('SOC-30 PLT-30 videos that take long to store don’t delay uploads of other organizations', async () => {
  const end = Promise.withResolvers<undefined>()
  const { storage, queue } = world.provided
  const slow = world.mallory.things.brands
  const put: typeof storage.put = async (key, ...file) => {
    if (key.includes(slow)) await end.promise
    await storage.put(key, ...file)
  }
  const send = async (caller: typeof world.ada) => {
    const draft = { brandId: caller.things.brands, length: 64 }
    const { id } = await caller.fetchJson<Upload>('POST /api/uploads', draft, 201)
    await caller.fetch(`PATCH /api/uploads/${id}?offset=0`, new Blob([video(64)]), asChunk)
    return id
  }
  const hanging = [await send(world.mallory), await send(world.mallory), await send(world.mallory)]
  await queue.work([finishUpload], { ...world.provided, storage: { ...storage, put } }, () => new Date())
  const quick = await send(world.ada)
  expect(await eventually(async () => (await read(quick)).status === 'completed')).toBe(true)
  const states = await world.database
    .sql`SELECT DISTINCT status FROM social.uploads WHERE id IN ${world.database.sql(hanging)}`
  expect([...states]).toEqual([{ status: 'processing' }])
  end.resolve(undefined)
  const isDone = async () =>
    (await Promise.all(hanging.map((id) => world.mallory.fetchJson<Upload>(`GET /api/uploads/${id}`)))).every(
      ({ status }) => status === 'completed',
    )
  expect(await eventually(isDone)).toBe(true)
})
