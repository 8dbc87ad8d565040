import sharp, { type Metadata, type Sharp } from 'sharp'
import type { ImageType } from '../../contract.ts'
import { Unreadable, type Image, type Prepared } from './prepared.ts'
import { imageTypeOf } from '../signature.ts'

/**
 * Decoded pixels of one file, all frames together. 50 million are 200 MB of memory; kinds that cost more to read and
 * write take fewer, so that a file of 20 MB is at most about five seconds of one core.
 */
const mostPixels: Record<ImageType, number> = {
  'image/jpeg': 50_000_000,
  'image/png': 40_000_000,
  'image/webp': 16_000_000,
  'image/gif': 25_000_000,
}
/** Networks with a limit of 1 MB get a copy of at most so many bytes. */
const webBytes = 950_000
/** The longest edge of a copy. */
const longest = 2048
/** Seconds after which a step ends. */
const patience = 30

// What is read is told by the content alone, and nothing but these four kinds is ever decoded.
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((kind) => `VipsForeignLoad${kind}Buffer`),
})

/** Reads a file and draws its copies. Throws Unreadable for no image, a damaged one, and one too large to decode. */
export async function draw(file: Uint8Array): Promise<Prepared> {
  const type = imageTypeOf(file)
  if (!type) throw new Unreadable('Unsupported file type. Upload a JPEG, PNG, WebP or GIF image.')
  const source: Source = { file, type, limit: mostPixels[type] }
  const facts = await readable(source, open(source, true).metadata())
  refuseTooLarge(source, facts)
  const animated = (facts.pages ?? 1) > 1
  const original = await readable(source, drawn(encoders[type](open(source, animated).autoOrient()), type))
  const small = await smaller(source)
  const sized = (edge: number, quality: number) =>
    drawn(fitted(small, edge).webp({ quality, smartSubsample: true }), 'image/webp')
  const copies = { thumb: await sized(320, 75), preview: await sized(1280, 80) }
  const light = original.bytes <= webBytes && type !== 'image/gif'
  return { original, animated, ...copies, ...(!animated && !light && { web: await forTheWeb(small) }) }
}

interface Source {
  file: Uint8Array
  type: ImageType
  /** The most pixels that it can have. */
  limit: number
}

const encoders: Record<ImageType, (image: Sharp) => Sharp> = {
  'image/jpeg': (image) => image.jpeg({ quality: 90 }),
  'image/png': (image) => image.png({ compressionLevel: 5 }),
  'image/webp': (image) => image.webp({ quality: 90, effort: 2 }),
  'image/gif': (image) => image.gif({ effort: 1, dither: 0 }),
}

const open = ({ file, limit }: Source, animated = false): Sharp =>
  sharp(file, { animated, limitInputPixels: limit, failOn: 'error' }).timeout({ seconds: patience })

/** Pixels as they are drawn from, again and again. */
interface Pixels {
  data: Buffer
  raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 }
}

/** The first frame, upright and as large as the largest copy: the file is decoded once for all of them. */
async function smaller(source: Source): Promise<Pixels> {
  const edges = { width: longest, height: longest, fit: 'inside', withoutEnlargement: true } as const
  const reading = open(source)
    .autoOrient()
    .resize(edges)
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { data, info } = await readable(source, reading)
  return { data, raw: { width: info.width, height: info.height, channels: info.channels } }
}

const fitted = ({ data, raw }: Pixels, edge: number): Sharp =>
  sharp(data, { raw })
    .timeout({ seconds: patience })
    .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })

async function drawn(image: Sharp, contentType: ImageType): Promise<Image> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  const height = info.pageHeight ?? info.height
  return { data: new Uint8Array(data), contentType, width: info.width, height, bytes: data.byteLength }
}

/** The largest of some JPEGs that is small enough; the last one is so for any image. */
async function forTheWeb(pixels: Pixels): Promise<Image> {
  for (const [edge, quality] of [
    [longest, 85],
    [longest, 72],
    [1600, 70],
    [1200, 65],
  ] as const) {
    const image = await drawn(fitted(pixels, edge).flatten({ background: 'white' }).jpeg({ quality }), 'image/jpeg')
    if (image.bytes <= webBytes) return image
  }
  return drawn(fitted(pixels, 800).flatten({ background: 'white' }).jpeg({ quality: 60 }), 'image/jpeg')
}

/** A bomb is refused by what its head says, before anything of it is unpacked. */
function refuseTooLarge(source: Source, { width, height }: Metadata): void {
  if (width * height > source.limit) throw tooManyPixels(source)
}

function tooManyPixels({ type, limit }: Source): Unreadable {
  const [most, kind] = [limit / 1_000_000, names[type]]
  return new Unreadable(`A ${kind} can have at most ${most} million pixels in all its frames. Upload a smaller image.`)
}

const names: Record<ImageType, string> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'image/gif': 'GIF',
}

async function readable<Result>(source: Source, reading: Promise<Result>): Promise<Result> {
  try {
    return await reading
  } catch (cause) {
    if (String(cause).includes('pixel limit')) throw tooManyPixels(source)
    if (String(cause).includes('timeout'))
      throw new Unreadable('This image takes too long to process. Upload a smaller one.')
    throw new Unreadable('This file can’t be read as a JPEG, PNG, WebP or GIF image. It may be damaged.')
  }
}
