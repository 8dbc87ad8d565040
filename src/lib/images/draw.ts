import sharp, { type Metadata, type Sharp } from 'sharp'
import { frameOf, type Edit } from './edit.ts'
import { measureGif, requireShort } from './gif.ts'
import { UnreadableImageError, type Animation, type Image, type PreparedImage } from './prepared.ts'
import { imageTypeOf, type ImageType } from './image-type.ts'

/** With all frames: 50 million are 200 MB. Slower types take fewer, so that 20 MB are at most five seconds. */
const maxPixels: Record<ImageType, number> = {
  'image/jpeg': 50_000_000,
  'image/png': 40_000_000,
  'image/webp': 16_000_000,
  'image/gif': 25_000_000,
}
/** For networks with a limit of 1 MB. */
const maxWebBytes = 950_000
const maxEdge = 2048
const timeoutSeconds = 30

// The type follows from the content alone, and nothing but these four types is ever decoded.
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((kind) => `VipsForeignLoad${kind}Buffer`),
})

/** @throws UnreadableImageError for other files, and damaged or too large images */
export async function draw(file: Uint8Array, edit: Edit | null = null): Promise<PreparedImage> {
  const type = imageTypeOf(file)
  if (!type) throw new UnreadableImageError('Unsupported file type. Upload a JPEG, PNG, WebP or GIF image.')
  const source: Source = { file, type, limit: maxPixels[type] }
  const measured = type === 'image/gif' ? measureGif(file) : null
  const metadata = await readImage(source, open(source, true).metadata())
  requireFewPixels(source, metadata)
  const animated = (metadata.pages ?? 1) > 1
  if (edit) return draw(await cut(source, metadata, animated, edit))
  const animation = animated ? (measured ?? measure(metadata)) : null
  if (animation) requireShort(names[type], animation)
  const original = await readImage(source, encode(encoders[type](open(source, animated).autoOrient()), type))
  const small = await decodeFirstFrame(source)
  const drawCopy = (edge: number, quality: number) =>
    encode(resize(small, edge).webp({ quality, smartSubsample: true }), 'image/webp')
  const copies = { thumb: await drawCopy(320, 75), preview: await drawCopy(1280, 80) }
  // Some networks take no PNG or WebP images.
  const isEnough = original.bytes <= maxWebBytes && type === 'image/jpeg'
  return { original, animation, ...copies, ...(!animated && !isEnough && { web: await drawWebCopy(small) }) }
}

/** In the same format, with as little loss as it has. */
async function cut(source: Source, { autoOrient }: Metadata, animated: boolean, edit: Edit): Promise<Uint8Array> {
  if (animated) throw new UnreadableImageError('Animated images can’t be cropped or rotated.')
  const image = open(source).autoOrient().rotate(edit.rotate).extract(frameOf(autoOrient, edit))
  const { type } = source
  const lossless = type === 'image/jpeg' ? image.jpeg({ quality: 100 }) : image.webp({ lossless: true, effort: 2 })
  const isLossy = type === 'image/jpeg' || type === 'image/webp'
  return (await readImage(source, encode(isLossy ? lossless : encoders[type](image), type))).data
}

const measure = ({ pages = 1, delay = [] }: Metadata): Animation => ({
  frames: pages,
  durationMs: delay.reduce((sum, ms) => sum + ms, 0),
})

interface Source {
  file: Uint8Array
  type: ImageType
  limit: number
}

const encoders: Record<ImageType, (image: Sharp) => Sharp> = {
  'image/jpeg': (image) => image.jpeg({ quality: 90 }),
  'image/png': (image) => image.png({ compressionLevel: 5 }),
  'image/webp': (image) => image.webp({ quality: 90, effort: 2 }),
  'image/gif': (image) => image.gif({ effort: 1, dither: 0 }),
}

const open = ({ file, limit }: Source, animated = false): Sharp =>
  sharp(file, { animated, limitInputPixels: limit, failOn: 'error' }).timeout({ seconds: timeoutSeconds })

interface Pixels {
  data: Buffer
  raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 }
}

async function decodeFirstFrame(source: Source): Promise<Pixels> {
  const edges = { width: maxEdge, height: maxEdge, fit: 'inside', withoutEnlargement: true } as const
  const reading = open(source)
    .autoOrient()
    .resize(edges)
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { data, info } = await readImage(source, reading)
  return { data, raw: { width: info.width, height: info.height, channels: info.channels } }
}

const resize = ({ data, raw }: Pixels, edge: number): Sharp =>
  sharp(data, { raw })
    .timeout({ seconds: timeoutSeconds })
    .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })

async function encode(image: Sharp, contentType: ImageType): Promise<Image> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  const height = info.pageHeight ?? info.height
  return { data: new Uint8Array(data), contentType, width: info.width, height, bytes: data.byteLength }
}

/** The last one is small enough for any image. */
async function drawWebCopy(pixels: Pixels): Promise<Image> {
  for (const [edge, quality] of [
    [maxEdge, 85],
    [maxEdge, 72],
    [1600, 70],
    [1200, 65],
  ] as const) {
    const image = await encode(resize(pixels, edge).flatten({ background: 'white' }).jpeg({ quality }), 'image/jpeg')
    if (image.bytes <= maxWebBytes) return image
  }
  return encode(resize(pixels, 800).flatten({ background: 'white' }).jpeg({ quality: 60 }), 'image/jpeg')
}

/** Rejects decompression bombs by their header, before anything is decoded. */
function requireFewPixels(source: Source, { width, height }: Metadata): void {
  if (width * height > source.limit) throw tooManyPixels(source)
}

function tooManyPixels({ type, limit }: Source): UnreadableImageError {
  const [most, kind] = [limit / 1_000_000, names[type]]
  return new UnreadableImageError(
    `A ${kind} can have at most ${most} million pixels across all its frames. Upload a smaller image.`,
  )
}

const names: Record<ImageType, string> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'image/gif': 'GIF',
}

async function readImage<Result>(source: Source, reading: Promise<Result>): Promise<Result> {
  try {
    return await reading
  } catch (cause) {
    if (String(cause).includes('pixel limit')) throw tooManyPixels(source)
    if (String(cause).includes('timeout'))
      throw new UnreadableImageError('This image takes too long to process. Upload a smaller one.')
    throw new UnreadableImageError('This file can’t be read as a JPEG, PNG, WebP or GIF image. It may be damaged.')
  }
}
