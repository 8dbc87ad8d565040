import { maxPacketMs, packetMs } from './opus.ts'
import type { AudioWindow } from './window.ts'

const segment = 0x18538067
const cluster = 0x1f43b675
const codecId = 0x86
const clusterTime = 0xe7
const blocks = new Set([0xa3, 0xa1])
/** Segment, cluster, block group, tracks and track entry: what is in them is read next. */
const containers = new Set([segment, cluster, 0xa0, 0x1654ae6b, 0xae])
const vorbisBlockMs = 1_024
const headBytes = 64

/** Sums up the packets of all blocks. Null for other codecs than Opus and Vorbis. */
export async function webmMs(audio: AudioWindow, start: number): Promise<number | null> {
  let sum = 0
  let lastTime = 0
  let time = 0
  let codec = ''
  for (let at = start; at < audio.size;) {
    if (!audio.has(at, headBytes)) await audio.load(at)
    const idBytes = Math.clz32(audio.byte(at) << 24) + 1
    const sizeBytes = Math.clz32(audio.byte(at + idBytes) << 24) + 1
    if (idBytes > 4 || sizeBytes > 8) return null
    const id = audio.uint(at, idBytes)
    const body = at + idBytes + sizeBytes
    const size = audio.uint(at + idBytes, sizeBytes) - 2 ** (7 * sizeBytes)
    if (containers.has(id)) {
      at = body
      continue
    }
    // Only segments and clusters can have an unknown size.
    if (size === 2 ** (7 * sizeBytes) - 1) return null
    if (id === codecId) {
      const found = audio.text(body, Math.min(size, 20))
      if (codec !== '' && found !== codec) return null
      codec = found
    } else if (id === clusterTime) time = audio.uint(body, Math.min(size, 6))
    else if (blocks.has(id)) {
      const head = body + Math.clz32(audio.byte(body) << 24) + 1
      lastTime = Math.max(lastTime, time + audio.uint(head, 2))
      const isLaced = (audio.byte(head + 2) & 6) !== 0
      const packets = isLaced ? audio.byte(head + 3) + 1 : 1
      if (codec === 'A_OPUS')
        sum += isLaced ? packets * maxPacketMs : packetMs(audio.byte(head + 3), audio.byte(head + 4))
      else if (codec === 'A_VORBIS') sum += packets * vorbisBlockMs
      else return null
    }
    at = body + size
  }
  // Silence can be left out, so that only the times tell of it; their scale is 1 ms by default.
  return codec === '' ? null : Math.max(sum, lastTime)
}
