import type { AudioWindow } from './window.ts'

/** PCM, float, A-law and µ-law: samples of a fixed size. Others are compressed. */
const plainFormats = new Set([1, 3, 6, 7])
const extensible = 0xfffe

export async function wavMs(audio: AudioWindow, start: number): Promise<number | null> {
  for (let at = start + 12; at < audio.size;) {
    if (!audio.has(at, 48)) await audio.load(at)
    const size = audio.uintReversed(at + 4, 4)
    if (audio.text(at, 4) === 'fmt ') {
      const format = audio.uintReversed(at + 8, 2)
      const isPlain = plainFormats.has(format === extensible ? audio.uintReversed(at + 32, 2) : format)
      const [channels, rate, bits] = [
        audio.uintReversed(at + 10, 2),
        audio.uintReversed(at + 12, 4),
        audio.uintReversed(at + 22, 2),
      ]
      const bytesPerSecond = channels * rate * Math.floor(bits / 8)
      return isPlain && bytesPerSecond > 0 ? (audio.size * 1000) / bytesPerSecond : null
    }
    at += 8 + size + (size % 2)
  }
  return null
}
