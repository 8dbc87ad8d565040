// Parts of MP4 files (ISO 14496-12), as they are and as they never should be.

const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, at * 4)
  return bytes
}
const u16 = (...values: number[]): Buffer => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]))

/** A box of these contents; `claims` is the size that it states. */
export function box(type: string, content: Uint8Array | Uint8Array[], claims?: number): Buffer {
  const body = Buffer.concat([content].flat())
  return Buffer.concat([u32(claims ?? body.byteLength + 8), Buffer.from(type, 'latin1'), body])
}

const identity = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)

interface Claims {
  width?: number
  height?: number
  /** Of a frame each, of which none exists. */
  samples?: number
  /** In milliseconds. */
  duration?: number
  brand?: string
  /** A file outside in which the frames are. */
  reference?: string
}

/** An MP4 of one H.264 track, of which only the headers exist. */
export function claimVideo(claims: Claims = {}): Buffer {
  const { width = 320, height = 180, samples = 50, duration = 2000, brand = 'isom', reference } = claims
  const entry = box('avc1', [
    Buffer.alloc(6),
    u16(1),
    Buffer.alloc(16),
    u16(width, height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    Buffer.alloc(32),
    u16(24, 0xffff),
    box('avcC', Buffer.from('01640015ffe1001667640015acd9414096ffc0d4ab8080000003008000001907', 'hex')),
  ])
  const listed = Math.min(samples, 20_000)
  const table = box('stbl', [
    box('stsd', [u32(0, 1), entry]),
    box('stts', u32(0, 1, samples, Math.max(1, Math.floor(duration / samples)))),
    box('stsc', u32(0, 1, 1, samples, 1)),
    box('stsz', [u32(0, 0, samples), Buffer.alloc(listed * 4, 1)]),
    box('stco', u32(0, 1, 40)),
  ])
  const place = reference === undefined ? box('url ', u32(1)) : box('url ', [u32(0), Buffer.from(`${reference}\0`)])
  const track = box('trak', [
    box('tkhd', [u32(3, 0, 0, 1, 0, duration, 0, 0, 0, 0), identity, u32(width << 16, height << 16)]),
    box('mdia', [
      box('mdhd', u32(0, 0, 0, 1000, duration, 0x55c40000)),
      box('hdlr', [u32(0, 0), Buffer.from('vide'), u32(0, 0, 0), Buffer.from('V\0')]),
      box('minf', [box('vmhd', u32(1, 0, 0)), box('dinf', box('dref', [u32(0, 1), place])), table]),
    ]),
  ])
  const header = box('mvhd', [
    u32(0, 0, 0, 1000, duration, 0x10000, 0x1000000, 0, 0),
    identity,
    Buffer.alloc(24),
    u32(2),
  ])
  return Buffer.concat([begin(brand), box('mdat', Buffer.alloc(64, 1)), box('moov', [header, track])])
}

export const begin = (brand = 'isom'): Buffer => box('ftyp', [Buffer.from(brand), u32(512), Buffer.from('isommp42')])

/** Boxes in boxes. */
export function nest(depth: number): Buffer {
  const heads = Array.from({ length: depth }, (_, at) =>
    Buffer.concat([u32((depth - at) * 8), Buffer.from(at === 0 ? 'moov' : 'trak')]),
  )
  return Buffer.concat([begin(), ...heads])
}
