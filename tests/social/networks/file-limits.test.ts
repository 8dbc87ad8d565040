import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { MediaFit } from '#social/types'
import { openWorld, type World } from '../../support/world.ts'

// Limits of videos and documents of each network: in the library and composer, which ask for them, and at scheduling.

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

interface File {
  kind?: 'image' | 'video' | 'document'
  type?: string
  bytes?: number
  seconds?: number | null
  codec?: string
  pages?: number
  animated?: boolean
}

const mebibyte = 1024 * 1024

/** A file of the brand that has been read. */
async function add({ kind = 'video', type, bytes = 1_000_000, codec = 'h264', ...more }: File): Promise<string> {
  const { seconds = 10, pages = 3, animated = false } = more
  const id = Bun.randomUUIDv7()
  const contentType = type ?? { image: 'image/png', video: 'video/mp4', document: 'application/pdf' }[kind]
  const edge = kind === 'document' ? null : 1080
  await world.database.sql`
    INSERT INTO social.media (id, brand_id, created_by, kind, name, alt, content_type, width, height, bytes, sha256, animated,
      status, duration_ms, video_codec, pages, renditions)
    VALUES (${id}, ${world.ada.things.brands}, ${world.ada.id}, ${kind}, 'file', '', ${contentType}, ${edge}, ${edge}, ${bytes},
      '', ${animated}, 'ready', ${kind === 'video' && seconds !== null ? seconds * 1000 : null},
      ${kind === 'video' ? codec : null}, ${kind === 'document' ? pages : null}, '{}')`
  return id
}

const bodyOf = (provider: string, ids: string[], status: string) => ({
  brandId: world.ada.things.brands,
  provider,
  text: 'Look',
  media: ids.map((mediaId) => ({ mediaId })),
  status,
  ...(status === 'scheduled' && { scheduledAt: '2099-01-01T09:00' }),
})

/** Why the network doesn’t take them, at scheduling; a draft keeps them. Null when it takes them. */
async function refusalOf(provider: string, ids: string[]): Promise<string | null> {
  const response = await world.ada.fetch('POST /api/posts', bodyOf(provider, ids, 'scheduled'))
  if (response.status === 201) return null
  expect(response.status).toBe(422)
  await world.ada.fetchJson('POST /api/posts', bodyOf(provider, ids, 'draft'), 201)
  const { errors } = (await response.json()) as { errors: { path: string; message: string }[] }
  expect(errors.map(({ path }) => path.split('.')[0])).toEqual(['media'])
  return errors[0]?.message ?? null
}

/** What the library and the composer show about a file. */
async function fitOf(provider: string, id: string): Promise<string | null> {
  const { items } = await world.ada.fetchJson<{ items: MediaFit[] }>(`GET /api/media/${id}/networks`)
  const fit = items.find((one) => one.provider === provider)
  return fit?.problem ?? null
}

const hour = 3600

test.each<[provider: string, file: File, message: string | null]>([
  ['x', { seconds: 140 }, null],
  ['x', { seconds: 141 }, 'This video is 2:21 long, but X allows 2:20. Choose a shorter one.'],
  ['x', { codec: 'hevc' }, 'X doesn’t support the codec hevc. Choose an MP4 video with H.264.'],
  ['x', { bytes: 513 * mebibyte }, 'This video is 537.9 MB, but X allows 536.9 MB. Choose a smaller one.'],
  ['x', { kind: 'document' }, 'X doesn’t support PDF documents. Remove this one.'],
  ['linkedin', { seconds: 2 }, 'This video is 0:02 long, but LinkedIn needs 0:03. Choose a longer one.'],
  ['linkedin', { seconds: 1801 }, 'This video is 30:01 long, but LinkedIn allows 30:00. Choose a shorter one.'],
  ['linkedin', { type: 'video/quicktime' }, 'LinkedIn doesn’t support MOV videos. Choose an MP4 video with H.264.'],
  ['linkedin', { kind: 'document', pages: 300 }, null],
  [
    'linkedin',
    { kind: 'document', pages: 301 },
    'This document has 301 pages, but LinkedIn allows 300. Choose a shorter one.',
  ],
  [
    'linkedin-page',
    { kind: 'document', bytes: 101 * mebibyte },
    'This document is 105.9 MB, but LinkedIn Page allows 104.9 MB. Choose a smaller one.',
  ],
  ['facebook', { codec: 'hevc', seconds: 4 * hour }, null],
  [
    'facebook',
    { seconds: 4 * hour + 1 },
    'This video is 4:00:01 long, but Facebook allows 4:00:00. Choose a shorter one.',
  ],
  ['instagram', { seconds: 901 }, 'This video is 15:01 long, but Instagram allows 15:00. Choose a shorter one.'],
  ['threads', { seconds: 301 }, 'This video is 5:01 long, but Threads allows 5:00. Choose a shorter one.'],
  ['tiktok', { type: 'video/webm', codec: 'vp9' }, null],
  ['tiktok', { seconds: 601 }, 'This video is 10:01 long, but TikTok allows 10:00. Choose a shorter one.'],
  ['tiktok', { codec: 'prores' }, 'TikTok doesn’t support the codec prores. Choose an MP4 video with H.264.'],
  ['bluesky', {}, 'Bluesky doesn’t support videos. Remove this one.'],
  ['discord', { kind: 'document' }, 'Discord doesn’t support PDF documents. Remove this one.'],
  ['x', { seconds: null }, 'The length of this video is unknown. Choose another one.'],
])('SOC-14 %s with the file %j says the same in the library and at scheduling', async (provider, file, message) => {
  const id = await add(file)
  expect(await fitOf(provider, id)).toBe(message)
  expect(await refusalOf(provider, [id])).toBe(message)
})

test.each<[provider: string, files: File[], message: string | null]>([
  [
    'linkedin',
    [{ kind: 'document' }, { kind: 'image' }],
    'LinkedIn allows a document only by itself. Remove the other files.',
  ],
  ['linkedin', [{}, { kind: 'image' }], 'LinkedIn allows a video only by itself. Remove the other files.'],
  ['x', [{}, { kind: 'image' }], 'X allows a video only by itself. Remove the other files.'],
  [
    'x',
    [{ kind: 'image', type: 'image/gif', animated: true }, { kind: 'image' }],
    'X allows an animated GIF only by itself. Remove the other files.',
  ],
  ['instagram', [], 'Instagram needs an image or a video. Add one.'],
])('SOC-14 files of a post on %s that don’t go together are refused: %j', async (provider, files, message) => {
  const ids: string[] = []
  for (const file of files) ids.push(await add(file))
  expect(await refusalOf(provider, ids)).toBe(message)
})
