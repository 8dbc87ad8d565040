import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Media, NewReviewLink, Upload } from '#social/types'
import { processMedia } from '../../src/social/media/jobs/process.job.ts'
import { findFfmpeg } from '../../src/social/media/video/ffmpeg.ts'
import { finishUpload } from '../../src/social/uploads/finish.ts'
import { openWorld, type World } from '../support/world.ts'
import { encodeVideo } from './videos.ts'

// What a guest’s page shows, downloaded as a browser without an account does.

const withFfmpeg = test.skipIf(!(await findFfmpeg({})))

let world: World
let brandId: string
beforeAll(async () => {
  world = await openWorld()
  brandId = world.ada.things.brands
})
afterAll(() => world.close())

const picture = (color: string) =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: color } })
    .png()
    .toBuffer()

function formOf(bytes: Buffer, fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new File([new Uint8Array(bytes)], 'cup.png', { type: 'image/png' }))
  return form
}

const uploadImage = async (color: string) =>
  world.ada.fetchJson<Media>('POST /api/media', formOf(await picture(color), { brandId, alt: `A ${color} cup` }), 201)

async function uploadVideo(bytes: Uint8Array<ArrayBuffer>): Promise<Media> {
  const draft = { brandId, length: bytes.byteLength, name: 'roast.mp4' }
  const { id } = await world.ada.fetchJson<Upload>('POST /api/uploads', draft, 201)
  await world.ada.fetch(`PATCH /api/uploads/${id}?offset=0`, new Blob([bytes]), {
    'tus-resumable': '1.0.0',
    'content-type': 'application/offset+octet-stream',
  })
  const job = { ...world.provided, database: world.database, now: () => new Date() }
  await finishUpload.run({ ...job, input: { id } })
  const { mediaId } = await world.ada.fetchJson<Upload>(`GET /api/uploads/${id}`)
  const organizationId = world.ada.things.organizations
  await processMedia.run({ ...job, input: { id: mediaId ?? '', brandId, organizationId } })
  return world.ada.fetchJson<Media>(`GET /api/media/${mediaId}`)
}

const postWith = ({ id, alt }: Media) =>
  world.ada.fetchJson<{ id: string }>(
    'POST /api/posts',
    { brandId, provider: 'sandbox', text: 'A cup', media: [{ mediaId: id, alt }] },
    201,
  )

async function invite(post: { id: string }) {
  const draft = { brandId, postIds: [post.id], guestName: 'Petra Voss' }
  const { id, url } = await world.ada.fetchJson<NewReviewLink>('POST /api/review-links', draft, 201)
  const { pathname } = new URL(url ?? '')
  const html = await (await visit(pathname, { accept: 'text/html' })).text()
  return { id, path: `/api${pathname}`, html }
}

const visit = (path: string, headers: Record<string, string> = {}) =>
  world.stranger.fetch(`GET ${path}`, undefined, headers)

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
const ownBytes = async (path: string) => bytesOf(await world.ada.fetch(`GET ${path}`))

test('SOC-32 image on a guest’s page is the stored copy until the link is revoked, without originals and files of other posts', async () => {
  const [shown, hidden] = [await uploadImage('red'), await uploadImage('blue')]
  const { id, path, html } = await invite(await postWith(shown))
  await postWith(hidden)
  const source = /<img src="([^"]+)" alt="A red cup"/.exec(html)?.[1] ?? ''
  expect(source).toBe(`${path}/media/${shown.id}/preview`)
  const image = await visit(source)
  expect([image.status, image.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
  const bytes = await bytesOf(image)
  expect(bytes.equals(await ownBytes(`/api/media/${shown.id}/file/preview`))).toBe(true)
  const { channels } = await sharp(bytes).stats()
  expect(channels.map(({ mean }) => Math.round(mean / 50))).toEqual([5, 0, 0])
  for (const rendition of ['thumb', 'preview', 'web'])
    expect((await visit(`${path}/media/${hidden.id}/${rendition}`)).status).toBe(404)
  expect((await visit(`${path}/media/${shown.id}/original`)).status).toBe(404)
  await world.ada.fetchJson(`DELETE /api/review-links/${id}`, {}, 204)
  expect((await visit(source)).status).toBe(404)
})

test('SOC-32 guest’s page shows the brand’s logo, which ends with the link', async () => {
  const form = formOf(await picture('green'), {})
  await world.ada.fetchJson(`PUT /api/brands/${brandId}/logo`, form, 200)
  const { id, path, html } = await invite(await postWith(await uploadImage('white')))
  const source = new RegExp(`<img src="(${path}/logo\\?sha256=[0-9a-f]{64})" alt=""`).exec(html)?.[1] ?? ''
  const logo = await visit(source)
  expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect((await bytesOf(logo)).equals(await ownBytes(`/api/brands/${brandId}/logo`))).toBe(true)
  await world.ada.fetchJson(`DELETE /api/review-links/${id}`, {}, 204)
  expect((await visit(source)).status).toBe(404)
})

withFfmpeg(
  'SOC-32 video on a guest’s page has its poster and is sent in parts, and not to guests of other posts',
  async () => {
    const source = ['-f', 'lavfi', '-i', 'sine=d=1', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
    const bytes = encodeVideo('a.mp4', 'testsrc2=s=320x180:r=25:d=1', ...source)
    const video = await uploadVideo(bytes)
    const { path, html } = await invite(await postWith({ ...video, alt: 'Roasting' }))
    const file = `${path}/media/${video.id}`
    expect(html).toContain(`poster="${file}/preview" src="${file}/web" aria-label="Roasting"`)
    const poster = await bytesOf(await visit(`${file}/preview`))
    expect(poster.equals(await ownBytes(`/api/media/${video.id}/file/preview`))).toBe(true)
    const part = await visit(`${file}/web`, { range: 'bytes=100-299' })
    expect([part.status, part.headers.get('content-type')]).toEqual([206, 'video/mp4'])
    expect((await bytesOf(part)).equals(Buffer.from(bytes.slice(100, 300)))).toBe(true)
    expect((await visit(`${file}/original`)).status).toBe(404)
    const other = await invite(await postWith(await uploadImage('gray')))
    expect((await visit(`${other.path}/media/${video.id}/web`, { range: 'bytes=0-9' })).status).toBe(404)
  },
)
