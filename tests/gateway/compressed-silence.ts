const maxSamples = 65_536

/** At 8 kHz: each frame has 65,536 samples in 14 bytes. */
export function flacOfSilence(frames: number): Uint8Array<ArrayBuffer> {
  const info = Buffer.alloc(42)
  info.write('fLaC')
  info[4] = 0x80
  info[7] = 34
  info.writeUIntBE(8_000 * 16, 18, 3)
  const frame = Buffer.from([0xff, 0xf8, 0x74, 0x08, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0])
  frame[7] = crc8(frame.subarray(0, 7))
  return new Uint8Array(Buffer.concat([info, ...Array<Buffer>(frames).fill(frame)]))
}

export const flacSeconds = (frames: number): number => (frames * maxSamples) / 8_000

function crc8(bytes: Uint8Array): number {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80 ? ((sum << 1) ^ 0x07) & 0xff : sum << 1
  }
  return sum
}

/** Opus: each page has 255 packets of two bytes, which are two frames of 60 ms each. */
export function oggOfSilence(pages: number): Uint8Array<ArrayBuffer> {
  const page = (flags: number, packets: readonly Uint8Array[]) => {
    const header = Buffer.alloc(27)
    header.write('OggS')
    header[5] = flags
    header[26] = packets.length
    return Buffer.concat([header, Uint8Array.from(packets, ({ length }) => length), ...packets])
  }
  // Its first bytes are those of a packet of 120 ms, too.
  const head = page(2, [Buffer.from('OpusHead')])
  const silent = page(
    0,
    Array.from({ length: 255 }, () => new Uint8Array([0x1b, 2])),
  )
  return new Uint8Array(Buffer.concat([head, ...Array<Buffer>(pages).fill(silent)]))
}
