import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Media, Upload, VideoType } from '#social/types'
import { sweepFiles } from '../../src/social/media/jobs/sweep-files.job.ts'
import { processMedia } from '../../src/social/media/jobs/process.job.ts'
import { transcodeVideo } from '../../src/social/media/jobs/transcode.job.ts'
import { findFfmpeg } from '../../src/social/media/video/ffmpeg.ts'
import { probe } from '../../src/social/media/video/probe.ts'
import { finishUpload } from '../../src/social/uploads/finish.ts'
import { eventually } from '../boot/program.ts'
import { openWorld, type World } from '../support/world.ts'
import { encodeVideo, remuxVideo } from './videos.ts'

// Videos through the pipeline: what they are, their preview, and the copy for networks.

const ffmpeg = await findFfmpeg({})
if (!ffmpeg) console.log('Skipped: ffmpeg is not installed, so videos can’t be encoded for tests.')
const withFfmpeg = test.skipIf(!ffmpeg)

let world: World
let folder: string
beforeAll(async () => {
  world = await openWorld()
  folder = mkdtempSync(join(tmpdir(), 'atrium-videos-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.close()
})

const bars = 'testsrc2=s=320x180:r=25:d=2'
const mp4 = () =>
  encodeVideo('a.mp4', bars, '-f', 'lavfi', '-i', 'sine=d=2', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac')
const webm = () => encodeVideo('a.webm', bars, '-c:v', 'libvpx', '-b:v', '300k')
/** As a phone held upright records it. */
const mov = () =>
  remuxVideo(
    'a.mov',
    encodeVideo('a.mov', bars, '-c:v', 'libx264', '-pix_fmt', 'yuv420p'),
    '-metadata:s:v',
    'rotate=90',
  )

const job = (config: Partial<World['provided']['config']> = {}) => ({
  ...world.provided,
  config: { ...world.provided.config, ...config },
  database: world.database,
  now: () => new Date(),
})
const inputOf = ({ id, brandId }: Media) => ({ id, brandId, organizationId: world.ada.things.organizations })
const get = (id: string) => world.ada.fetchJson<Media>(`GET /api/media/${id}`)

async function upload(bytes: Uint8Array<ArrayBuffer>, name = 'roast.mp4'): Promise<Media> {
  const draft = { brandId: world.ada.things.brands, length: bytes.byteLength, name }
  const { id } = await world.ada.fetchJson<Upload>('POST /api/uploads', draft, 201)
  const sent = await world.ada.fetch(`PATCH /api/uploads/${id}?offset=0`, new Blob([bytes]), {
    'tus-resumable': '1.0.0',
    'content-type': 'application/offset+octet-stream',
  })
  expect(sent.status).toBe(204)
  await finishUpload.run({ ...job(), input: { id } })
  const { mediaId } = await world.ada.fetchJson<Upload>(`GET /api/uploads/${id}`)
  return get(mediaId ?? '')
}

async function process(media: Media, config = {}): Promise<Media> {
  await processMedia.run({ ...job(config), input: inputOf(media) })
  return get(media.id)
}

async function transcodeCopy(media: Media): Promise<Media> {
  await transcodeVideo.run({ ...job(), input: inputOf(media) })
  return get(media.id)
}

const read = async (route: string) => {
  const response = await world.vera.fetch(route)
  expect(response.status).toBe(200)
  return { type: response.headers.get('content-type'), bytes: await response.bytes() }
}

const workFiles = () => readdirSync(join(world.provided.config.DATA_DIR, 'media-work'))

withFfmpeg('SOC-30 MP4 is probed, gets a preview, and is kept as it is', async () => {
  const bytes = mp4()
  const media = await upload(bytes)
  expect(media).toMatchObject({ status: 'processing', kind: 'video', width: null, durationMs: null })
  const ready = await process(media)
  expect(ready).toMatchObject({
    status: 'ready',
    width: 320,
    height: 180,
    durationMs: 2000,
    frameRate: 25,
    rotation: 0,
    videoCodec: 'h264',
    audioCodec: 'aac',
    hasAudio: true,
    failure: null,
    transcoding: null,
  })
  const { width, format } = await sharp((await read(`GET /api/media/${media.id}/file/thumb`)).bytes).metadata()
  expect([width, format]).toEqual([320, 'webp'])
  const file = await read(`GET /api/media/${media.id}/file`)
  expect([file.type, Buffer.compare(file.bytes, bytes)]).toEqual(['video/mp4', 0])
  expect(workFiles()).toEqual([])
})

withFfmpeg(
  'SOC-30 video of a phone held upright has its upright size, its rotation and an upright preview',
  async () => {
    const ready = await process(await upload(mov(), 'phone.mov'))
    expect(ready).toMatchObject({ contentType: 'video/quicktime', width: 180, height: 320 })
    expect(ready.rotation).toBeOneOf([90, 270])
    const { width, height } = await sharp((await read(`GET /api/media/${ready.id}/file/preview`)).bytes).metadata()
    expect([width, height]).toEqual([180, 320])
  },
)

withFfmpeg('SOC-30 video that networks don’t take gets a copy in MP4 with H.264 and AAC', async () => {
  const ready = await process(await upload(webm(), 'roast.webm'))
  expect(ready).toMatchObject({ videoCodec: 'vp8', hasAudio: false, transcoding: { state: 'waiting', percent: 0 } })
  const copied = await transcodeCopy(ready)
  expect(copied).toMatchObject({
    transcoding: { state: 'completed', percent: 100 },
    renditions: { web: { contentType: 'video/mp4', width: 320, height: 180 } },
  })
  const { type, bytes } = await read(`GET /api/media/${ready.id}/file/web`)
  expect([type, bytes.byteLength]).toEqual(['video/mp4', copied.renditions.web?.bytes ?? 0])
  const path = join(folder, 'copy.mp4')
  await Bun.write(path, bytes)
  expect(await probe(path, 'video/mp4', ffmpeg)).toMatchObject({ videoCodec: 'h264', durationMs: 2000 })
  expect(workFiles()).toEqual([])
})

withFfmpeg('SOC-30 parser without ffmpeg finds the same facts as ffprobe', async () => {
  const videos: [VideoType, Uint8Array][] = [
    ['video/mp4', mp4()],
    ['video/quicktime', mov()],
    ['video/webm', webm()],
    [
      'video/webm',
      encodeVideo('a.webm', bars, '-f', 'lavfi', '-i', 'sine=d=2', '-c:v', 'libvpx-vp9', '-c:a', 'libopus'),
    ],
    ['video/mp4', encodeVideo('a.mp4', bars, '-c:v', 'libx264', '-movflags', 'frag_keyframe+empty_moov')],
  ]
  for (const [type, bytes] of videos) {
    const path = join(folder, 'same')
    await Bun.write(path, bytes)
    const { durationMs, frameRate, ...facts } = await probe(path, type, ffmpeg)
    const parsed = await probe(path, type, null)
    expect(parsed).toMatchObject(facts)
    expect(parsed.durationMs).toBeWithin((durationMs ?? 0) - 100, (durationMs ?? 0) + 100)
    expect(parsed.frameRate).toBeCloseTo(frameRate ?? 0, 0)
  }
})

withFfmpeg('SOC-30 without ffmpeg a video has its facts and no preview, says so, and gets both later', async () => {
  const ready = await process(await upload(webm(), 'roast.webm'), { FFMPEG_PATH: 'off' })
  expect(ready).toMatchObject({
    status: 'ready',
    width: 320,
    height: 180,
    durationMs: 2000,
    videoCodec: 'vp8',
    renditions: {},
    transcoding: { state: 'unavailable' },
  })
  const page = await world.ada.fetch(`GET /workspace/media?brandId=${ready.brandId}&file=${ready.id}`, undefined, {
    accept: 'text/html',
  })
  expect(await page.text()).toContain('This server has no ffmpeg')
  const again = await world.ada.fetchJson<Media>(`POST /api/media/${ready.id}/process`)
  expect(again).toMatchObject({ status: 'processing', transcoding: null })
  const complete = await transcodeCopy(await process(again))
  expect(Object.keys(complete.renditions).toSorted((a, b) => a.localeCompare(b))).toEqual(['preview', 'thumb', 'web'])
  expect(complete).toMatchObject(await world.ada.fetchJson<Media>(`POST /api/media/${ready.id}/process`))
})

withFfmpeg(
  'SOC-30 damaged video is kept without a preview, and says that it can’t be read, with and without ffmpeg',
  async () => {
    const whole = mp4()
    for (const config of [{}, { FFMPEG_PATH: 'off' }]) {
      const media = await upload(whole.slice(0, 1000))
      const failed = await process(media, config)
      expect(failed).toMatchObject({ status: 'failed', renditions: {}, durationMs: null })
      expect(failed.failure).toContain('can’t be read')
      expect((await read(`GET /api/media/${media.id}/file`)).bytes.byteLength).toBe(1000)
    }
  },
)

withFfmpeg(
  'SOC-30 one video is transcoded at a time; deleting it ends that, leaves no file and lets the next one begin',
  async () => {
    const args = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '500k']
    const first = await process(
      await upload(encodeVideo('a.webm', 'testsrc2=s=854x480:r=30:d=20', ...args), 'long.webm'),
    )
    const second = await process(await upload(webm(), 'short.webm'))
    const running = [first, second].map((media) => transcodeVideo.run({ ...job(), input: inputOf(media) }))
    const progress = async () => (await get(first.id)).transcoding
    expect(await eventually(async () => ((await progress())?.percent ?? 0) > 0)).toBe(true)
    expect(await progress()).toMatchObject({ state: 'running' })
    expect((await get(second.id)).transcoding).toMatchObject({ state: 'waiting' })
    await world.ada.fetchJson(`DELETE /api/media/${first.id}`, undefined, 204)
    await Promise.all(running)
    expect((await get(second.id)).transcoding).toMatchObject({ state: 'completed' })
    await sweepFiles.run({ ...job(), input: {} })
    const keys = await Array.fromAsync(world.provided.storage.keys())
    expect(keys.filter((key) => key.includes(first.id))).toEqual([])
    expect(workFiles()).toEqual([])
  },
)

test('SOC-30 processing an image again changes nothing; files of another organization are 404, and viewers get 403', async () => {
  const { media } = world.ada.things
  const before = await get(media)
  expect(before).toMatchObject(await world.ada.fetchJson<Media>(`POST /api/media/${media}/process`))
  expect((await world.mallory.fetch(`POST /api/media/${media}/process`)).status).toBe(404)
  expect((await world.vera.fetch(`POST /api/media/${media}/process`)).status).toBe(403)
})

withFfmpeg(
  'SOC-30 copies that a killed job wrote after its video was deleted are deleted by its next run',
  async () => {
    const { storage } = world.provided
    for (const [work, copy] of [[processMedia, 'thumb'] as const, [transcodeVideo, 'web'] as const]) {
      const media = await upload(webm(), 'gone.webm')
      await world.ada.fetchJson(`DELETE /api/media/${media.id}`, undefined, 204)
      await sweepFiles.run({ ...job(), input: {} })
      const key = `social/${media.brandId}/${media.id}.${copy}`
      await storage.put(key, new Uint8Array(10), 'image/webp')
      await work.run({ ...job(), input: inputOf(media) })
      expect(await storage.exists(key)).toBe(false)
      await storage.put(key, new Uint8Array(10), 'image/webp')
      await work.onRetriesExhausted?.({ ...job(), input: inputOf(media) })
      expect(await storage.exists(key)).toBe(false)
    }
  },
)

withFfmpeg('SOC-30 redrawn copy of a video has another URL and ETag, and the old one is not reused', async () => {
  const first = await process(await upload(mp4()))
  const { storage } = world.provided
  const drawn = first.renditions.thumb
  if (!drawn) throw new Error('The video has no preview')
  const old = { ...drawn, sha256: 'a'.repeat(64) }
  await storage.put(`social/${first.brandId}/${first.id}.thumb`, new Uint8Array(old.bytes), 'image/webp')
  await world.database.sql`
    UPDATE social.media SET renditions = renditions || ${JSON.stringify({ thumb: old })}::text::jsonb,
      transcoding = ${JSON.stringify({ state: 'failed', percent: 0, failure: 'Broken' })}::text::jsonb
    WHERE id = ${first.id}`
  const send = async (sha256 = '', headers = {}) => {
    const route = `GET /api/media/${first.id}/file/thumb${sha256 && `?sha256=${sha256}`}`
    const response = await world.vera.fetch(route, undefined, headers)
    const { status, headers: got } = response
    return { status, caching: got.get('cache-control'), etag: got.get('etag') ?? '' }
  }
  const immutable = 'private, max-age=2592000, immutable'
  const before = await send(old.sha256)
  expect(before.caching).toBe(immutable)
  const redrawn = await process(await world.ada.fetchJson<Media>(`POST /api/media/${first.id}/process`))
  expect(redrawn.renditions.thumb?.sha256).toBe(drawn.sha256)
  expect(await send(drawn.sha256)).toMatchObject({ status: 200, caching: immutable })
  for (const stale of ['', old.sha256])
    expect(await send(stale, { 'if-none-match': before.etag })).toMatchObject({
      status: 200,
      caching: 'private, no-cache',
    })
  expect(await send('', { 'if-none-match': (await send()).etag })).toMatchObject({ status: 304 })
  const shown = await world.ada.fetch(`GET /workspace/media?brandId=${first.brandId}`, undefined, {
    accept: 'text/html',
  })
  expect(await shown.text()).toContain(`${first.id}/file/preview?sha256=${redrawn.renditions.preview?.sha256}`)
})
