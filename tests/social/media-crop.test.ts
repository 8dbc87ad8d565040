import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Media } from '#social/types'
import { openWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** Red on the left, blue on the right. */
const halves = (format: 'png' | 'jpeg' | 'webp' = 'png') =>
  sharp({ create: { width: 400, height: 200, channels: 3, background: 'red' } })
    .composite([{ input: { create: { width: 200, height: 200, channels: 3, background: 'blue' } }, left: 200, top: 0 }])
    .toFormat(format)
    .toBuffer()

async function upload(bytes: Buffer): Promise<Media> {
  const form = new FormData()
  form.set('brandId', world.ada.things.brands)
  form.set('alt', 'Two halves')
  form.set('file', new File([new Uint8Array(bytes)], 'halves.png'))
  return world.ada.fetchJson<Media>('POST /api/media', form, 201)
}

const crop = ({ id }: Media, edit: object) => world.ada.fetchJson<Media>(`POST /api/media/${id}/crop`, edit, 201)

/** The colors of the middle of the upper left and lower right quarter. */
async function colorsOf({ id }: Media): Promise<string[]> {
  const response = await world.ada.fetch(`GET /api/media/${id}/file`)
  const { data, info } = await sharp(await response.arrayBuffer())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => {
    const first = (Math.floor(info.height * y) * info.width + Math.floor(info.width * x)) * info.channels
    return (data[first] ?? 0) > (data[first + 2] ?? 0) ? 'red' : 'blue'
  }
  return [at(0.25, 0.25), at(0.75, 0.75)]
}

test.each(['png', 'jpeg', 'webp'] as const)('SOC-30 %s is cropped and rotated as a copy', async (format) => {
  const original = await upload(await halves(format))
  const left = await crop(original, { aspect: '1:1', keep: 'start' })
  expect(left).toMatchObject({ name: 'halves 1:1.png', alt: 'Two halves', width: 200, height: 200 })
  expect(left.contentType).toBe(original.contentType)
  expect(await colorsOf(left)).toEqual(['red', 'red'])
  expect(await colorsOf(await crop(original, { aspect: '1:1' }))).toEqual(['red', 'blue'])
  const turned = await crop(original, { rotate: 90 })
  expect([turned.width, turned.height, await colorsOf(turned)]).toEqual([200, 400, ['red', 'blue']])
  const upside = await crop(original, { rotate: 180, aspect: '4:5', keep: 'start' })
  expect([upside.width, upside.height, await colorsOf(upside)]).toEqual([160, 200, ['blue', 'blue']])
  const { sha256, width } = await world.ada.fetchJson<Media>(`GET /api/media/${original.id}`)
  expect([sha256, width]).toEqual([original.sha256, 400])
})

test('SOC-30 crop needs a format or a rotation, and an image that isn’t animated', async () => {
  const original = await upload(await halves())
  const nothing = await world.ada.fetch(`POST /api/media/${original.id}/crop`, {})
  expect([nothing.status, (await nothing.json()).errors[0].path]).toEqual([422, 'aspect'])
  const frames = Buffer.concat([Buffer.alloc(8 * 8 * 3, 0), Buffer.alloc(8 * 8 * 3, 255)])
  const animated = await sharp(frames, { raw: { width: 8, height: 16, channels: 3, pageHeight: 8 } })
    .gif({ delay: [100, 100] })
    .toBuffer()
  const refused = await world.ada.fetch(`POST /api/media/${(await upload(animated)).id}/crop`, { rotate: 90 })
  expect(refused.status).toBe(422)
})
