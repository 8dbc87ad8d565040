import type { AudioWindow } from './window.ts'

/** Boxes that contain the others, with the bytes before these. */
const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf', 'mvex'])
/** Milliseconds of one sample, at the lowest rates of the codecs: 1,024 of 7,350 Hz, 4,096 of 8,000 Hz. */
const sampleMs: Readonly<Record<string, number>> = { mp4a: 140, Opus: 120, alac: 512, '.mp3': 145 }
const maxBoxes = 200_000

/** By the number of samples of all tracks, and what the file declares. Null for other codecs. */
export async function mp4Ms(audio: AudioWindow, start: number): Promise<number | null> {
  let [samples, declaredMs, perSampleMs] = [0, 0, 0]
  let boxes = 0
  for (let at = start; at + 8 <= audio.size;) {
    if (!audio.has(at, 64)) await audio.load(at)
    const type = audio.text(at + 4, 4)
    const size = audio.uint(at, 4)
    const body = at + (size === 1 ? 16 : 8)
    if (++boxes > maxBoxes || (size !== 0 && size !== 1 && size < 8)) return null
    if (type === 'stsd') {
      const ofCodec = sampleMs[audio.text(body + 12, 4)]
      if (ofCodec === undefined || audio.uint(body + 4, 4) !== 1) return null
      perSampleMs = Math.max(perSampleMs, ofCodec)
    } else if (type === 'stsz' || type === 'stz2') samples += audio.uint(body + 8, 4)
    else if (type === 'trun') samples += audio.uint(body + 4, 4)
    else if (type === 'mvhd' || type === 'mdhd') declaredMs = Math.max(declaredMs, durationAt(audio, body))
    if (size === 0) break
    at = containers.has(type) ? body : at + (size === 1 ? audio.uint(at + 8, 8) : size)
  }
  return samples > 0 && perSampleMs > 0 ? Math.max(samples * perSampleMs, declaredMs) : null
}

function durationAt(audio: AudioWindow, body: number): number {
  const isLong = audio.byte(body) === 1
  const timescale = Math.max(audio.uint(body + (isLong ? 20 : 12), 4), 1)
  const duration = isLong ? audio.uint(body + 24, 8) : audio.uint(body + 16, 4)
  // All ones: it isn't known.
  return duration >= 2 ** (isLong ? 63 : 32) - 1 ? 0 : (duration * 1000) / timescale
}
