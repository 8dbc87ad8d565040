import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import sharp from 'sharp'
import { openDatabase } from '#lib/db.ts'
import type { Media } from '#social/types'
import { startBluesky, type BlueskyCounterpart } from '../counterparts/bluesky.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, isSettled, newPublisher, type Publisher } from '../support/publisher.ts'
import { home } from '../support/served.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'

// Images from the upload through the scheduler to a network, and what the network then shows.

let database: TestDatabase
let bluesky: BlueskyCounterpart
let server: Server
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  bluesky = startBluesky()
  const env = { BLUESKY_RESOLVER_URL: bluesky.url, PLC_DIRECTORY_URL: bluesky.url, PROVIDER_TIMEOUT_MS: '1500' }
  server = await serveInProcess({ databaseUrl: database.url, env })
  ada = await newPublisher(server.url)
  await ada.connect('shop')
})

afterAll(async () => {
  await server.stop()
  await bluesky.stop()
  await database.drop()
})

const colored = (color: string, width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: color } })

const upload = async (bytes: Buffer, alt: string): Promise<Media> =>
  ada.call('POST', '/api/media', { brandId: ada.brandId, file: bytes.toString('base64'), alt }, 201)

const publish = (values: Record<string, unknown>) =>
  ada.post({ text: 'Look', status: 'scheduled', scheduledAt: inMs(150), ...values })

test('SOC-30 SOC-20 post is published with its images in order, each with its alt text', async () => {
  const red = await upload(await colored('red').png().toBuffer(), 'Red')
  const blue = await upload(await colored('blue').jpeg().toBuffer(), 'Blue')
  const { id } = await publish({ media: [{ mediaId: blue.id }, { mediaId: red.id, alt: 'Quite red' }] })
  expect(await ada.until(id, isSettled)).toMatchObject({ status: 'published', failureMessage: null })
  const [received] = await ada.received('shop')
  expect(received?.media.map(({ alt }) => alt)).toEqual(['Blue', 'Quite red'])
  const path = `/dev/sandbox/api/accounts/shop/media/${received?.media[0]?.id}`
  const shown = await fetch(new URL(path, server.url))
  const { format, width, height } = await sharp(await shown.arrayBuffer()).metadata()
  expect([shown.headers.get('content-type'), format, width, height]).toEqual(['image/jpeg', 'jpeg', 60, 40])
})

test('SOC-24 image of a post with a lost response is published once', async () => {
  await ada.connect('lossy')
  await ada.behave('lossy', { mode: 'lose_answer', times: 1 })
  const { id: mediaId } = await upload(await colored('green').png().toBuffer(), 'Green')
  const connectionId = await ada.connect('lossy')
  const { id } = await publish({ media: [{ mediaId }], target: { connectionId } })
  expect(await ada.until(id, isSettled)).toMatchObject({ status: 'published' })
  expect((await ada.received('lossy')).map(({ media }) => media.length)).toEqual([1])
})

test('SOC-08 SOC-14 Bluesky receives the copy that fits its limits, with its dimensions', async () => {
  const handle = 'pictures.example.com'
  const { did, appPassword } = bluesky.account(handle)
  await ada.call('POST', '/api/integrations/bluesky/connect', { brandId: ada.brandId, handle, appPassword }, 201)
  const pixels = Buffer.alloc(620 * 620 * 3)
  for (let at = 0; at < pixels.length; at += 65_536) crypto.getRandomValues(pixels.subarray(at, at + 65_536))
  const heavy = sharp(pixels, { raw: { width: 620, height: 620, channels: 3 } })
  const form = new FormData()
  form.set('brandId', ada.brandId)
  form.set('file', new Blob([new Uint8Array(await heavy.png().toBuffer())]), 'noise.png')
  const media = await ada.call<Media>('POST', '/api/media', form, 201)
  expect(media.bytes).toBeGreaterThan(1_000_000)
  const { id } = await publish({ provider: 'bluesky', media: [{ mediaId: media.id, alt: 'Noise' }] })
  expect(await ada.until(id, isSettled)).toMatchObject({ status: 'published', failureMessage: null })
  const [kept] = bluesky.posts(did)
  expect(kept?.value.embed).toMatchObject({ images: [{ alt: 'Noise', aspectRatio: { width: 620, height: 620 } }] })
})

test('SOC-14 animation that Bluesky would show as a still image is rejected when scheduling', async () => {
  const frames = sharp(Buffer.alloc(20 * 40 * 3, crypto.getRandomValues(new Uint8Array(512))), {
    raw: { width: 20, height: 40, channels: 3, pageHeight: 20 },
  })
  const { id: mediaId, animated } = await upload(await frames.gif({ delay: [90, 90] }).toBuffer(), 'Moving')
  expect(animated).toBe(true)
  const post = { brandId: ada.brandId, provider: 'bluesky', text: 'Look', media: [{ mediaId }] }
  const later = { ...post, status: 'scheduled', scheduledAt: inMs(60_000) }
  const refused = await ada.call<{ errors: unknown[] }>('POST', '/api/posts', later, 422)
  const message = 'Bluesky doesn’t support animated GIFs. Choose another image.'
  expect(refused.errors).toEqual([{ path: 'media.0', message }])
})

test('SOC-14 video and other file that the network doesn’t take when a post is due fail it with the reason, and nothing is sent', async () => {
  const connectionId = await ada.connect('later')
  const media = await upload(await colored('black').png().toBuffer(), 'Black')
  const later = { media: [{ mediaId: media.id }], target: { connectionId }, scheduledAt: inMs(60_000) }
  const [first, second] = [await publish(later), await publish(later)]
  const { sql, close } = openDatabase(database.url, 1)
  const publishNow = (id: string) => sql`UPDATE social.posts SET scheduled_at = now(), due_at = now() WHERE id = ${id}`
  await sql`UPDATE social.media SET bytes = 3000000, renditions = renditions - 'web' WHERE id = ${media.id}`
  await publishNow(first.id)
  expect(await ada.until(first.id, isSettled)).toMatchObject({
    status: 'failed',
    failureMessage: expect.stringContaining('This image is 3 MB, but Sandbox allows 2 MB.'),
  })
  await sql`
    UPDATE social.media SET kind = 'video', content_type = 'video/mp4', duration_ms = 5000, video_codec = 'h264'
    WHERE id = ${media.id}`
  await publishNow(second.id)
  expect(await ada.until(second.id, isSettled)).toMatchObject({
    status: 'failed',
    failureMessage: expect.stringContaining('Sandbox doesn’t support videos.'),
  })
  expect(await ada.received('later')).toEqual([])
  await close()
})

test('PLT-36 SOC-22 post whose file was lost fails with a message, and nothing is sent', async () => {
  const connectionId = await ada.connect('bare')
  const media = await upload(await colored('black').png().toBuffer(), 'Black')
  await rm(`${home}/files/social/${media.brandId}/${media.id}.original`)
  const { id } = await publish({ media: [{ mediaId: media.id }], target: { connectionId } })
  expect(await ada.until(id, isSettled)).toMatchObject({ status: 'failed', failureCode: 'media_missing' })
  expect(await ada.received('bare')).toEqual([])
})
