import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import sharp from 'sharp'
import type { Media, MediaFit, Post } from '#social/types'
import { sweepFiles } from '../../src/social/media/jobs/sweep-files.job.ts'
import { newId } from '#lib/ids.ts'
import { openStorage } from '#lib/storage.ts'
import { gifOf } from './hostile/files.ts'
import { dot, openWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

const hour = 60 * 60 * 1000

const colored = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#b5523b' } })

/** A photo as a phone writes it: rotated by metadata, with its location. */
const photo = () =>
  colored(1600, 1200)
    .withExif({ IFD0: { Artist: 'Ada', Orientation: '6' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()

/** Pixels that don't compress. */
const noise = (width: number, height: number) =>
  sharp(random(width * height * 3), { raw: { width, height, channels: 3 } })

function random(bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(buffer.subarray(at, at + 65_536))
  return buffer
}

function formOf(bytes: Uint8Array<ArrayBuffer> | Buffer, fields: Record<string, string> = {}, name = 'latte.jpg') {
  const form = new FormData()
  for (const [field, value] of Object.entries({ brandId: world.ada.things.brands, ...fields })) form.set(field, value)
  form.set('file', new File([new Uint8Array(bytes)], name, { type: 'text/html' }))
  return form
}

const upload = async (bytes: Buffer, fields = {}): Promise<Media> =>
  world.ada.fetchJson<Media>('POST /api/media', formOf(bytes, fields), 201)

const small = async (alt = 'A red field') => upload(await colored(40, 30).png().toBuffer(), { alt })

async function file(media: Media, rendition = '') {
  const response = await world.ada.fetch(`GET /api/media/${media.id}/file${rendition && `/${rendition}`}`)
  expect(response.status).toBe(200)
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** The stored files of an image. */
const filesOf = ({ brandId, id }: Media): string[] => {
  const folder = join(world.provided.config.DATA_DIR, 'files/social', brandId)
  return readdirSync(folder)
    .filter((name) => name.startsWith(id))
    .map((name) => name.replace(`${id}.`, ''))
    .sort()
}

const sweep = (ahead = 0) =>
  sweepFiles.run({
    ...world.provided,
    input: {},
    database: world.database,
    now: () => new Date(Date.now() + ahead),
  })

const looseFiles = async () => (await world.database.sql`SELECT key FROM social.loose_files`).length

test('SOC-30 photo is stored upright, without its location metadata, and with its copies', async () => {
  const media = await upload(await photo(), { alt: 'A latte' })
  expect(media).toMatchObject({
    brandId: world.ada.things.brands,
    name: 'latte.jpg',
    alt: 'A latte',
    contentType: 'image/jpeg',
    width: 1200,
    height: 1600,
    animated: false,
    createdBy: world.ada.id,
    renditions: { thumb: { width: 240, height: 320 }, preview: { width: 960, height: 1280 } },
  })
  const { bytes } = await file(media)
  expect(bytes.byteLength).toBe(media.bytes)
  expect(new Bun.CryptoHasher('sha256').update(bytes).digest('hex')).toBe(media.sha256)
  const facts = await sharp(bytes).metadata()
  expect([facts.width, facts.height, facts.exif, facts.orientation]).toEqual([1200, 1600, undefined, undefined])
  const thumb = await file(media, 'thumb')
  expect((await sharp(thumb.bytes).metadata()).format).toBe('webp')
  expect(bytes.includes('Ada') || thumb.bytes.includes('Ada')).toBe(false)
})

test('SOC-43 image files are stored under the brand, not under the organization', async () => {
  const media = await small()
  expect(filesOf(media)).toEqual(['original', 'preview', 'thumb', 'web'])
  const rows = await world.database.sql`SELECT to_jsonb(m)::text AS row FROM social.media m WHERE id = ${media.id}`
  expect(String(rows[0]?.['row'])).not.toContain(world.ada.things.organizations)
})

test('SOC-30 file is accepted in a form, as the raw body, or as base64 in JSON', async () => {
  const png = await colored(8, 8).png().toBuffer()
  const route = `POST /api/media?brandId=${world.ada.things.brands}&alt=Raw`
  const raw = await world.ada.fetch(route, new Blob([new Uint8Array(png)], { type: 'image/png' }))
  expect([raw.status, await raw.json()]).toMatchObject([201, { alt: 'Raw', width: 8, name: '' }])
  const json = { brandId: world.ada.things.brands, file: dot, name: 'dot.png' }
  expect(await world.ada.fetchJson<Media>('POST /api/media', json, 201)).toMatchObject({ name: 'dot.png', width: 1 })
})

test.each(['jpeg', 'png', 'webp', 'gif'] as const)('SOC-30 %s is detected by its content', async (format) => {
  const media = await upload(await colored(20, 10).toFormat(format).toBuffer())
  expect(media).toMatchObject({ contentType: `image/${format}`, width: 20, height: 10 })
  const { response } = await file(media)
  expect(response.headers.get('content-type')).toBe(`image/${format}`)
})

test.each([
  ['frames', { frames: 1001, edge: 1 }, 'An animated GIF can have at most 1000 frames.'],
  ['minutes', { frames: 2, edge: 1, delay: 40_000 }, 'An animated GIF can take at most 10 minutes.'],
  ['pixels', { frames: 100, edge: 600 }, 'A GIF can have at most 25 million pixels across all its frames.'],
])('SOC-30 animated GIF of too many %s is refused in words', async (_, claims, why) => {
  const refused = await world.ada.fetch('POST /api/media', formOf(gifOf(claims)))
  expect([refused.status, (await refused.json()).errors[0].message]).toEqual([422, expect.stringContaining(why)])
})

test('SOC-30 animated GIF stays animated', async () => {
  const frames = random(20 * 20 * 3 * 3)
  const gif = await sharp(frames, { raw: { width: 20, height: 60, channels: 3, pageHeight: 20 } })
    .gif({ delay: [100, 100, 100] })
    .toBuffer()
  const media = await upload(gif)
  expect(media).toMatchObject({ animated: true, width: 20, height: 20, frames: 3, durationMs: 300 })
  expect((await sharp((await file(media)).bytes, { animated: true }).metadata()).pages).toBe(3)
})

test('SOC-14 large image gets a copy that every network accepts', async () => {
  const media = await upload(await noise(700, 700).png().toBuffer())
  expect(media.bytes).toBeGreaterThan(1_000_000)
  expect(media.renditions.web).toMatchObject({ contentType: 'image/jpeg' })
  expect(media.renditions.web?.bytes).toBeLessThan(950_001)
})

test.each(['png', 'webp'] as const)(
  'SOC-14 small %s also gets a JPEG copy for networks that take no other type',
  async (type) => {
    const clear = { width: 30, height: 20, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } } as const
    const media = await upload(await sharp({ create: clear })[type]().toBuffer())
    expect(media).toMatchObject({
      contentType: `image/${type}`,
      renditions: { web: { contentType: 'image/jpeg', width: 30, height: 20 } },
    })
    const copy = await sharp((await file(media, 'web')).bytes).stats()
    expect(copy.channels.map(({ min }) => min > 240)).toEqual([true, true, true])
    expect((await sharp((await file(media)).bytes).metadata()).hasAlpha).toBe(true)
    const { items } = await world.ada.fetchJson<{ items: MediaFit[] }>(`GET /api/media/${media.id}/networks`)
    const fitOf = (name: string) => items.find(({ provider }) => provider === name)
    for (const name of ['instagram', type === 'png' ? 'tiktok' : 'linkedin'])
      expect(fitOf(name)).toMatchObject({ fits: true, copy: { contentType: 'image/jpeg' }, problem: null })
    expect(fitOf('x')).toMatchObject({ fits: true, copy: null })
  },
)

test('SOC-14 small JPEG needs no copy for networks', async () => {
  const media = await upload(
    await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer(),
  )
  expect(media.renditions.web).toBeUndefined()
  expect((await world.ada.fetch(`GET /api/media/${media.id}/file/web`)).status).toBe(404)
})

/** A PNG whose header declares so many pixels, without any data. */
function bomb(width: number, height: number): Buffer {
  const bytes = Buffer.from(dot, 'base64')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  bytes.writeUInt32BE(Bun.hash.crc32(bytes.subarray(12, 29)), 29)
  return bytes
}

const jpeg = await photo()
const odd: [string, Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['a text', Buffer.from('just words')],
  [
    'an SVG',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'),
  ],
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj')],
  ['a TIFF', await colored(9, 9).tiff().toBuffer()],
  ['half a JPEG', jpeg.subarray(0, jpeg.length / 2)],
  ['only the header of a JPEG', jpeg.subarray(0, 20)],
  ['an HTML page that begins like a GIF', Buffer.from('GIF89a<script>alert(1)</script>')],
  ['a bomb', bomb(30_000, 30_000)],
  ['a bomb of one line', bomb(2_000_000_000, 1)],
]

test.each(odd)('SOC-30 %s is rejected with an error on its field', async (_, bytes) => {
  const response = await world.ada.fetch('POST /api/media', formOf(bytes))
  expect([response.status, await response.json()]).toMatchObject([422, { errors: [{ path: 'file' }] }])
  expect(await looseFiles()).toBe(0)
})

test('SOC-30 upload can be up to 20 MiB, and a body without a file up to 1 MiB', async () => {
  const large = await world.ada.fetch('POST /api/media', formOf(Buffer.alloc(21 * 1024 * 1024)))
  expect([large.status, await large.json()]).toMatchObject([413, { code: 'body_too_large' }])
  const json = { brandId: world.ada.things.brands, file: 'A'.repeat(1024 * 1024) }
  expect((await world.ada.fetch('POST /api/media', json)).status).toBe(413)
  const elsewhere = await world.ada.fetch('POST /api/posts', formOf(Buffer.alloc(2 * 1024 * 1024)))
  expect(elsewhere.status).toBe(413)
})

test('SOC-30 file is served only as an image, with a private cache header', async () => {
  const { response } = await file(await small(), 'preview')
  const headers = Object.fromEntries(response.headers)
  expect(headers).toMatchObject({
    'content-type': 'image/webp',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, max-age=2592000, immutable',
    vary: 'Accept, Accept-Encoding, Cookie, HX-Request, HX-Request-Type, Origin',
    'cross-origin-resource-policy': 'same-origin',
  })
  expect(headers['content-disposition']).toMatch(/^inline; filename="[0-9a-f-]+-preview\.webp"$/)
  for (const rendition of ['original', '..%2fthumb', 'thumb.svg'])
    expect((await world.ada.fetch(`GET /api/media/${(await small()).id}/file/${rendition}`)).status).toBe(404)
})

test('SOC-30 image supports range requests, and returns 304 to a client that already has it', async () => {
  const media = await small()
  const send = (headers: Record<string, string>, rendition = '') =>
    world.ada.fetch(`GET /api/media/${media.id}/file${rendition}`, undefined, headers)
  const { response, bytes } = await file(media)
  const part = await send({ range: 'bytes=1-3' })
  expect([part.status, Buffer.from(await part.arrayBuffer()).toString()]).toEqual([206, 'PNG'])
  expect(part.headers.get('content-range')).toBe(`bytes 1-3/${bytes.byteLength}`)
  expect((await send({ range: `bytes=${bytes.byteLength}-` })).status).toBe(416)
  const etag = response.headers.get('etag') ?? ''
  expect((await send({ 'if-none-match': etag })).status).toBe(304)
  expect((await send({ 'if-none-match': etag }, '/thumb')).status).toBe(200)
  expect(
    (await world.mallory.fetch(`GET /api/media/${media.id}/file`, undefined, { 'if-none-match': etag })).status,
  ).toBe(404)
})

test('PLT-12 images are listed newest first, page by page, without duplicates', async () => {
  const brand = await world.ada.fetchJson<{ id: string }>('POST /api/brands', { name: 'Shelf' }, 201)
  const made: string[] = []
  for (let nth = 0; nth < 5; nth++)
    made.unshift((await world.ada.fetchJson<Media>('POST /api/media', { brandId: brand.id, file: dot }, 201)).id)
  const listed: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = `brandId=${brand.id}&limit=2${cursor && `&cursor=${cursor}`}`
    const page: { items: Media[]; nextCursor: string | null } = await world.ada.fetchJson(`GET /api/media?${query}`)
    listed.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  }
  expect(listed).toEqual(made)
})

test('PLT-23 SOC-46 image is hidden from other organizations, and read-only for viewers', async () => {
  const media = await small()
  const routes = ['GET', 'GET file', 'GET file/thumb', 'PUT', 'DELETE'].map((text) => {
    const [method, path = ''] = text.split(' ')
    return `${method} /api/media/${media.id}${path && `/${path}`}`
  })
  for (const route of routes) {
    const body = route.startsWith('PUT') ? { alt: 'Mine' } : undefined
    expect((await world.mallory.fetch(route, body)).status, route).toBe(404)
    expect((await world.vera.fetch(route, body)).status, route).toBe(route.startsWith('GET') ? 200 : 403)
  }
  expect((await world.mallory.fetch('POST /api/media', formOf(Buffer.from(dot, 'base64')))).status).toBe(404)
  expect((await world.vera.fetch('POST /api/media', formOf(Buffer.from(dot, 'base64')))).status).toBe(403)
  const theirs = await world.mallory.fetchJson<{ items: Media[] }>('GET /api/media?kind=image')
  expect([...new Set(theirs.items.map(({ brandId }) => brandId))]).toEqual([world.mallory.things.brands])
})

test('SOC-30 alt text of an image can be changed later, and posts keep theirs', async () => {
  const media = await small('Before')
  const post = await compose({ media: [{ mediaId: media.id }] })
  await world.ada.fetchJson(`PUT /api/media/${media.id}`, { alt: 'After', name: 'field.png' })
  expect(await world.ada.fetchJson<Media>(`GET /api/media/${media.id}`)).toMatchObject({
    alt: 'After',
    name: 'field.png',
  })
  expect((await world.ada.fetchJson<Post>(`GET /api/posts/${post.id}`)).media).toEqual([
    { mediaId: media.id, alt: 'Before' },
  ])
})

const tomorrow = new Date(Date.now() + 24 * hour).toISOString()

const compose = <Answer = Post>(values: Record<string, unknown>, status = 201) =>
  world.ada.fetchJson<Answer>(
    'POST /api/posts',
    { brandId: world.ada.things.brands, provider: 'sandbox', text: 'Look', ...values },
    status,
  )

interface Refusal {
  code: string
  errors: { path: string; message: string }[]
  posts?: { id: string }[]
}

test('SOC-30 post has its images in order, each with its own alt text or the image’s', async () => {
  const [one, two] = [await small('One'), await small('Two')]
  const post = await compose({ media: [{ mediaId: two.id, alt: 'Twice' }, { mediaId: one.id }] })
  expect(post.media).toEqual([
    { mediaId: two.id, alt: 'Twice' },
    { mediaId: one.id, alt: 'One' },
  ])
  const copy = await world.ada.fetchJson<Post>(`POST /api/posts/${post.id}/duplicate`, {}, 201)
  expect(copy.media).toEqual(post.media)
  const without = await world.ada.fetchJson<Post>(`PUT /api/posts/${post.id}`, { media: [] })
  expect([without.media, without.text]).toEqual([[], 'Look'])
})

test('SOC-45 each target and each part of a thread has its own images', async () => {
  const [one, two] = [await small('One'), await small('Two')]
  const media = [{ mediaId: one.id }]
  const targets = [{ provider: 'sandbox' }, { provider: 'mastodon', media: [{ mediaId: two.id }] }]
  const group = await compose<{ items: Post[] }>({ provider: undefined, media, targets })
  expect(group.items.map((post) => post.media[0]?.alt)).toEqual(['One', 'Two'])
  const thread = [{ text: 'First', media }, { text: 'Second' }]
  const parts = await compose<{ items: Post[] }>({ text: undefined, thread })
  expect(parts.items.map((post) => post.media.map(({ alt }) => alt))).toEqual([['One'], []])
})

test('PLT-23 SOC-30 image of another brand is rejected like an unknown one', async () => {
  const foreign = world.mallory.things.media
  for (const mediaId of [foreign, newId()])
    for (const [values, path] of [
      [{ media: [{ mediaId }] }, 'media.0.mediaId'],
      [{ text: undefined, thread: [{ text: 'One', media: [{ mediaId }] }] }, 'thread.0.media.0.mediaId'],
      [{ provider: undefined, targets: [{ provider: 'sandbox', media: [{ mediaId }] }] }, 'targets.0.media.0.mediaId'],
    ] as const)
      expect((await compose<Refusal>(values, 422)).errors.map((error) => error.path)).toEqual([path])
  const post = await compose({})
  const edited = await world.ada.fetch(`PUT /api/posts/${post.id}`, { media: [{ mediaId: foreign }] })
  expect(edited.status).toBe(422)
})

test('SOC-14 more images than a network accepts are rejected when scheduling, but kept in a draft', async () => {
  const { id: mediaId } = await small()
  const media = Array.from({ length: 5 }, () => ({ mediaId }))
  const draft = await compose({ media })
  const later = { media, status: 'scheduled', scheduledAt: tomorrow }
  const refused = await compose<Refusal>(later, 422)
  expect(refused.errors).toEqual([{ path: 'media', message: 'Sandbox allows 4 images per post. Remove 1.' }])
  const schedule = { status: 'scheduled', scheduledAt: tomorrow }
  expect((await world.ada.fetch(`PUT /api/posts/${draft.id}`, schedule)).status).toBe(422)
  expect((await world.ada.fetch(`POST /api/posts/${draft.id}/publish-now`)).status).toBe(422)
  const fewer = { ...schedule, media: media.slice(1) }
  expect(await world.ada.fetchJson<Post>(`PUT /api/posts/${draft.id}`, fewer)).toMatchObject({ status: 'scheduled' })
})

test('SOC-30 image used by a post can’t be deleted; an unused one is deleted with its files', async () => {
  const media = await small()
  const post = await compose({ media: [{ mediaId: media.id }] })
  const refused = await world.ada.fetchJson<Refusal>(`DELETE /api/media/${media.id}`, undefined, 409)
  expect(refused).toMatchObject({ code: 'media_in_use', posts: [{ id: post.id, status: 'draft' }] })
  await world.ada.fetchJson(`DELETE /api/posts/${post.id}`, undefined, 204)
  await world.ada.fetchJson(`DELETE /api/media/${media.id}`, undefined, 204)
  expect((await world.ada.fetch(`GET /api/media/${media.id}/file`)).status).toBe(404)
  expect(filesOf(media)).toEqual(['original', 'preview', 'thumb', 'web'])
  await sweep()
  expect([filesOf(media), await looseFiles()]).toEqual([[], 0])
})

test('SOC-30 deleting an image while a post with it is created rejects one of the two', async () => {
  for (let round = 0; round < 8; round++) {
    const { id } = await small()
    const [made, deleted] = await Promise.all([
      world.ada.fetch('POST /api/posts', {
        brandId: world.ada.things.brands,
        provider: 'sandbox',
        text: 'Race',
        media: [{ mediaId: id }],
      }),
      world.ada.fetch(`DELETE /api/media/${id}`),
    ])
    expect(['201 409', '422 204']).toContain(`${made.status} ${deleted.status}`)
  }
})

test('PLT-36 files of an interrupted upload are deleted within the hour', async () => {
  await sweep(2 * hour)
  const { storage } = world.provided
  const { put } = storage
  let puts = 0
  const full: typeof put = (...given) => (++puts === 2 ? Promise.reject(new Error('The disk is full')) : put(...given))
  Object.assign(storage, { put: full })
  const broken = await world.ada.fetch('POST /api/media', formOf(Buffer.from(dot, 'base64')))
  Object.assign(storage, { put })
  expect(broken.status).toBe(500)
  const [row] = await world.database.sql<{ key: string }[]>`SELECT key FROM social.loose_files`
  const first = `${row?.key}.original`
  expect(await storage.exists(first)).toBe(true)
  await sweep()
  expect(await storage.exists(first)).toBe(true)
  await sweep(2 * hour)
  expect([await storage.exists(first), await looseFiles()]).toEqual([false, 0])
})

test('PLT-36 files that killed servers were writing are deleted after six hours', async () => {
  const { DATA_DIR } = world.provided.config
  const left = ['files/.incoming/half', 'media-work/half'].map((name) => join(DATA_DIR, name))
  for (const path of left) await Bun.write(path, 'half')
  const exist = () => Promise.all(left.map((path) => Bun.file(path).exists()))
  await sweep(5 * hour)
  expect(await exist()).toEqual([true, true])
  await sweep(7 * hour)
  expect(await exist()).toEqual([false, false])
})

test('PLT-36 SOC-30 files in S3 are served with ranges and ETags', async () => {
  const home = mkdtempSync(join(tmpdir(), 'atrium-s3-'))
  const bucket = { name: 'media', configs: [] }
  const s3 = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory: home, configureBuckets: [bucket] })
  const { port } = await s3.run()
  const { storage } = world.provided
  const onDisk = { ...storage }
  const account = { S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER', S3_BUCKET: bucket.name }
  Object.assign(storage, openStorage({ ...world.provided.config, ...account, S3_ENDPOINT: `http://127.0.0.1:${port}` }))
  try {
    const media = await small()
    const { response, bytes } = await file(media)
    expect(response.headers.get('content-length')).toBe(String(media.bytes))
    const send = (headers: Record<string, string>) =>
      world.ada.fetch(`GET /api/media/${media.id}/file`, undefined, headers)
    const part = await send({ range: 'bytes=-10' })
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(-10)])
    expect((await send({ 'if-none-match': response.headers.get('etag') ?? '' })).status).toBe(304)
    expect((await file(media, 'thumb')).bytes.byteLength).toBe(media.renditions.thumb?.bytes ?? 0)
  } finally {
    Object.assign(storage, onDisk)
    await s3.close()
    rmSync(home, { recursive: true, force: true })
  }
})

test('PLT-36 upload returns 503 with the reason while the store is unavailable', async () => {
  const { storage } = world.provided
  const away = openStorage({ ...world.provided.config, ...nowhere })
  const { put } = storage
  Object.assign(storage, { put: away.put })
  const refused = await world.ada.fetch('POST /api/media', formOf(Buffer.from(dot, 'base64')))
  Object.assign(storage, { put })
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'storage_unavailable' }])
  expect(refused.headers.get('retry-after')).toBe('5')
})

const nowhere = { S3_ENDPOINT: 'http://127.0.0.1:1', S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 's' }
