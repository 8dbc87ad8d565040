import sharp, { type Metadata, type Sharp } from 'sharp'
import { invalid } from '#lib/errors.ts'
import type { ImageType } from '../contract.ts'
import type { KeptRendition } from '../schema.ts'
import { imageTypeOf } from './signature.ts'

/** An image that a browser shows as it is. */
export interface Image extends KeptRendition {
  data: Uint8Array<ArrayBuffer>
}

/** Decoded pixels of one file, all frames together: 50 million are 200 MB of memory. */
const mostPixels = 50_000_000
/** Networks with a limit of 1 MB get a copy of at most so many bytes. */
const webBytes = 950_000

// What is read is told by the content alone, and nothing but these four kinds is ever decoded.
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((kind) => `VipsForeignLoad${kind}Buffer`),
})

/** One image at a time: a large one takes much memory, and all cores. */
let last: Promise<unknown> = Promise.resolve()
function inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
  const turn = last.then(act)
  last = turn.catch(() => {}) // Its own caller hears of it; the next one only waits.
  return turn
}

export interface Prepared {
  /** Upright, in sRGB, without what the camera wrote into it, such as the place where it was taken. */
  original: Image
  animated: boolean
  thumb: Image
  preview: Image
  /** For networks that take no large files; none of small images and of moving ones. */
  web?: Image
}

/** Reads an uploaded file and draws its copies. Throws 422 when it is no image, damaged, or too large to decode. */
export const prepare = (file: Uint8Array): Promise<Prepared> => inTurn(() => prepared(file))

async function prepared(file: Uint8Array): Promise<Prepared> {
  const type = imageTypeOf(file)
  if (!type) throw refused('This is no JPEG, PNG, WebP or GIF image.')
  const facts = await readable(open(file, true).metadata())
  refuseTooLarge(facts)
  const animated = (facts.pages ?? 1) > 1
  const original = await readable(drawn(encoders[type](open(file, animated).autoOrient()), type))
  const sized = (edge: number, quality: number) =>
    drawn(fitted(original.data, edge).webp({ quality, smartSubsample: true }), 'image/webp')
  const copies = { thumb: await sized(320, 75), preview: await sized(1280, 80) }
  const light = original.bytes <= webBytes && type !== 'image/gif'
  return { original, animated, ...copies, ...(!animated && !light && { web: await forTheWeb(original.data) }) }
}

const encoders: Record<ImageType, (image: Sharp) => Sharp> = {
  'image/jpeg': (image) => image.jpeg({ quality: 90 }),
  'image/png': (image) => image.png(),
  'image/webp': (image) => image.webp({ quality: 90 }),
  'image/gif': (image) => image.gif(),
}

const open = (file: Uint8Array, animated = false): Sharp =>
  sharp(file, { animated, limitInputPixels: mostPixels, failOn: 'error' }).timeout({ seconds: 30 })

const fitted = (file: Uint8Array, edge: number): Sharp =>
  open(file).resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })

async function drawn(image: Sharp, contentType: ImageType): Promise<Image> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  const height = info.pageHeight ?? info.height
  return { data: new Uint8Array(data), contentType, width: info.width, height, bytes: data.byteLength }
}

/** The largest of some JPEGs that is small enough; the last one is so for any image. */
async function forTheWeb(file: Uint8Array): Promise<Image> {
  for (const [edge, quality] of [
    [2048, 85],
    [2048, 72],
    [1600, 70],
    [1200, 65],
  ] as const) {
    const image = await drawn(fitted(file, edge).flatten({ background: 'white' }).jpeg({ quality }), 'image/jpeg')
    if (image.bytes <= webBytes) return image
  }
  return drawn(fitted(file, 800).flatten({ background: 'white' }).jpeg({ quality: 60 }), 'image/jpeg')
}

/** A bomb is refused by what its head says, before anything of it is unpacked. */
function refuseTooLarge({ width, height }: Metadata): void {
  if (width * height > mostPixels) throw tooManyPixels()
}

const tooManyPixels = () => refused('This image has more than 50 million pixels, all frames together: make it smaller.')

async function readable<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading
  } catch (cause) {
    if (String(cause).includes('pixel limit')) throw tooManyPixels()
    throw refused('This file can’t be read as a JPEG, PNG, WebP or GIF image. It may be damaged.')
  }
}

const refused = (message: string) => invalid([{ path: 'file', message }])
