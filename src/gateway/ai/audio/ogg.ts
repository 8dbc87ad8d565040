import { maxPacketMs, packetMs } from './opus.ts'
import type { AudioWindow } from './window.ts'

const headerBytes = 27
/** With 255 segments of 255 bytes. */
const maxPageBytes = headerBytes + 255 * 256
const isFirst = 2

type PacketMs = (audio: AudioWindow, at: number, length: number) => number

/** Sums up the packets of all pages. Null for other codecs than Opus and Vorbis. */
export async function oggMs(audio: AudioWindow, start: number): Promise<number | null> {
  const codecs = new Map<number, PacketMs>()
  let sum = 0
  for (let page = start; page + headerBytes <= audio.size;) {
    if (!audio.has(page, maxPageBytes)) await audio.load(page)
    if (audio.text(page, 4) !== 'OggS') {
      // Decoders go on with the next page.
      page = audio.next(0x4f, page + 1)
      continue
    }
    const serial = audio.uint(page + 14, 4)
    const segments = audio.byte(page + 26)
    let at = page + headerBytes + segments
    if (audio.byte(page + 5) & isFirst) {
      const codec = codecAt(audio, at)
      if (!codec) return null
      codecs.set(serial, codec)
    }
    let length = 0
    for (let segment = 0; segment < segments; segment++) {
      const size = audio.byte(page + headerBytes + segment)
      length += size
      if (size === 255 && segment < segments - 1) continue
      sum += codecs.get(serial)?.(audio, at, length) ?? maxPacketMs
      at += length
      length = 0
    }
    page = at
  }
  return sum
}

function codecAt(audio: AudioWindow, at: number): PacketMs | null {
  if (audio.text(at, 8) === 'OpusHead')
    return (bytes, packet, length) =>
      length === 0 ? maxPacketMs : packetMs(bytes.byte(packet), bytes.byte(packet + 1))
  if (audio.text(at + 1, 6) !== 'vorbis') return null
  const blockMs = (2 ** (audio.byte(at + 28) >> 4) * 1000) / Math.max(audio.uintReversed(at + 12, 4), 1)
  return () => blockMs
}
