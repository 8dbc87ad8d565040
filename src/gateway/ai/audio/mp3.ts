import type { AudioWindow } from './window.ts'

const kilobits = {
  v1: [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ],
  v2: [
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ],
}
const rates = [44_100, 48_000, 32_000]

/** Sums up the frames of MPEG audio. Null when it doesn’t begin with one. */
export async function mp3Ms(audio: AudioWindow, start: number): Promise<number | null> {
  if (!frameAt(audio, start)) return null
  let ms = 0
  for (let at = start; at < audio.size;) {
    if (!audio.has(at, 4)) await audio.load(at)
    const frame = frameAt(audio, at)
    ms += frame?.ms ?? 0
    // Decoders look for the next one behind what they can't read.
    at = frame ? at + frame.bytes : audio.next(0xff, at + 1)
  }
  return ms
}

function frameAt(audio: AudioWindow, at: number): { bytes: number; ms: number } | null {
  const [first, second, third] = [audio.byte(at), audio.byte(at + 1), audio.byte(at + 2)]
  const version = (second >> 3) & 3
  const layer = 3 - ((second >> 1) & 3)
  const rate = (rates[(third >> 2) & 3] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4)
  const kbps = kilobits[version === 3 ? 'v1' : 'v2'][layer]?.[(third >> 4) - 1]
  if (first !== 0xff || second < 0xe0 || version === 1 || rate === 0 || kbps === undefined) return null
  const samples = layer === 0 ? 384 : layer === 2 && version !== 3 ? 576 : 1152
  const padding = ((third >> 1) & 1) * (layer === 0 ? 4 : 1)
  return { bytes: Math.floor((samples * kbps * 125) / rate) + padding, ms: (samples * 1000) / rate }
}
