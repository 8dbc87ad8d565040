import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { begin, box, claimVideo, nest } from './boxes.ts'
import { overloading } from './documents.ts'

type Files = [name: string, bytes: Uint8Array][]

/** Files made to exhaust, mislead or crash the programs that read or draw them: 60 of them. */
export async function writeHostileFiles(): Promise<Files> {
  const image = () => sharp({ create: { width: 60, height: 40, channels: 3, background: '#b5523b' } })
  const [png, jpeg, webp, gif] = [
    await image().png().toBuffer(),
    await image().jpeg().toBuffer(),
    await image().webp().toBuffer(),
    await image().gif().toBuffer(),
  ]
  const [video, page] = [claimVideo(), Buffer.from(pdf(1))]
  const bombs: Files = [
    ['400 megapixels', pngOf(20_000, 20_000)],
    ['1,600 megapixels', pngOf(40_000, 40_000)],
    ['largest pixels of 40 million', pngOf(8000, 5000)],
    ['one line of pixels', pngOf(1, 39_000_000)],
    ['20,000 frames of one pixel', gifOf({ frames: 20_000, edge: 1 })],
    ['300,000 frames of one pixel', gifOf({ frames: 300_000, edge: 1 })],
    ['frames of a giant screen', gifOf({ frames: 900, edge: 1, screen: 65_535 })],
    ['objects that inflate to 1 GB', pdf(1, deflateSync(Buffer.alloc(64 * 1024 * 1024)), 16)],
    ['objects without end', Buffer.from(`%PDF-1.7\n${'1 0 obj\n<</Type /ObjStm\n'.repeat(40_000)}`)],
    ['parts in parts', nest(100_000)],
  ]
  const lies: Files = [
    ['PNG of 2 billion pixels a side', patch(png, 16, [0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff])],
    ['JPEG of 65,535 pixels a side', patch(jpeg, jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5, [255, 255, 255, 255])],
    ['WebP of 16,383 pixels a side', patch(webp, 26, [0xff, 0x3f, 0xff, 0x3f])],
    ['GIF of 65,535 pixels a side', patch(gif, 6, [255, 255, 255, 255])],
    ['video of 65,535 pixels a side', claimVideo({ width: 65_535, height: 65_535 })],
    ['video of 49 days', claimVideo({ duration: 0xffff_ffff })],
    ['video of 20,000 frames', claimVideo({ samples: 20_000, duration: 20_000 })],
    ['video of 4 billion frames', claimVideo({ samples: 0xffff_ffff })],
    ['video in another file', claimVideo({ reference: 'file:///etc/passwd', brand: 'qt  ' })],
    ['video at an address', claimVideo({ reference: 'http://127.0.0.1:1/video.mp4' })],
    ['headers of 4 GB', Buffer.concat([begin(), box('moov', Buffer.alloc(100), 0xffff_fff0)])],
    ['headers of negative size', Buffer.concat([begin(), box('moov', Buffer.alloc(100), 4)])],
    ['headers of 2^63 bytes', Buffer.concat([begin(), box('moov', Buffer.alloc(100, 0x7f), 1)])],
    ['WebM of unknown size', webmOf(Buffer.alloc(8, 0xff))],
    ['WebM of 2^56 bytes', webmOf(Buffer.from('01fffffffffffffe', 'hex'))],
    ['PDF of 2 billion pages', pdf(2_000_000_000)],
  ]
  const endless: Files = [
    ['GIF of a week', gifOf({ frames: 990, edge: 2, delay: 65_535 })],
    ['GIF that never ends', gifOf({ frames: 500, edge: 2, delay: 65_535 }).subarray(0, -1)],
    ['GIF with a comment that never ends', Buffer.concat([gif.subarray(0, -1), Buffer.from([0x21, 0xfe]), noEnd])],
  ]
  const script = Buffer.from('<script>alert(1)</script><?php system("id") ?>PK\u0003\u0004')
  const polyglots: Files = [png, jpeg, webp, gif, video, page].map((bytes, at) => [
    `polyglot ${at}`,
    Buffer.concat([bytes, script, page, png]),
  ])
  const truncated: Files = [png, jpeg, webp, gif, video, page].flatMap((bytes, at) =>
    [0.3, 0.9].map((part): Files[number] => [`truncated ${at} at ${part}`, bytes.subarray(0, bytes.length * part)]),
  )
  const noise: Files = ['89504e470d0a1a0a', '474946383961', '1a45dfa3a342867765626d'].map((start) => [
    `noise after ${start}`,
    Buffer.concat([Buffer.from(start, 'hex'), crypto.getRandomValues(Buffer.alloc(60_000))]),
  ])
  const documents = overloading.map(([name, content]): Files[number] => [`PDF with ${name}`, Buffer.from(content)])
  return [...bombs, ...lies, ...endless, ...polyglots, ...truncated, ...noise, ...documents]
}

const noEnd = Buffer.alloc(200_000, 255)

function patch(bytes: Buffer, at: number, values: number[]): Buffer {
  const changed = Buffer.from(bytes)
  changed.set(values, at)
  return changed
}

/** A PNG of black pixels, of one bit each. */
function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const row = Math.ceil(width / 8) + 1
  const bytes = Math.min(row * height, 256 * 1024 * 1024)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(bytes), { level: 1 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  crc.writeUInt32BE(Bun.hash.crc32(body))
  return Buffer.concat([length, body, crc])
}

interface GifClaims {
  frames: number
  edge: number
  screen?: number
  /** In hundredths of a second. */
  delay?: number
}

export function gifOf({ frames, edge, screen = edge, delay = 1 }: GifClaims): Buffer {
  const low = (value: number) => [value & 255, value >> 8]
  const frame = [
    0x21,
    0xf9,
    4,
    0,
    ...low(delay),
    0,
    0,
    0x2c,
    0,
    0,
    0,
    0,
    ...low(edge),
    ...low(edge),
    0,
    2,
    2,
    0x44,
    1,
    0,
  ]
  const header = [...low(screen), ...low(screen), 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
  return Buffer.concat([
    Buffer.from('GIF89a'),
    Buffer.from(header),
    Buffer.alloc(frames * frame.length, Uint8Array.from(frame)),
    Buffer.from([0x3b]),
  ])
}

/** A PDF that states this number of pages, with copies of a compressed stream of objects. */
function pdf(pages: number, objects?: Buffer, copies = 1): Buffer {
  const stream = objects && [
    Buffer.from(`9 0 obj\n<</Type /ObjStm /N 1 /First 4 /Length ${objects.length}>>\nstream\n`),
    objects,
    Buffer.from('\nendstream\nendobj\n'),
  ]
  const tree = `2 0 obj\n<</Type /Pages /Count ${pages} /Kids []>>\nendobj\n`
  return Buffer.concat([
    Buffer.from(`%PDF-1.7\n1 0 obj\n<</Type /Catalog /Pages 2 0 R>>\nendobj\n${tree}`),
    ...Array.from({ length: copies }, () => stream ?? []).flat(),
    Buffer.from('%%EOF\n'),
  ])
}

const webmOf = (segmentSize: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from('1a45dfa38b4282847765626d4287810218538067', 'hex'), segmentSize, Buffer.alloc(5000, 0xa3)])
