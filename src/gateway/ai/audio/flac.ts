import type { AudioWindow } from './window.ts'

const maxHeader = 32
const rates = [0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000]

/** Sums up all frames: a frame of silence has ten bytes and up to 65,535 samples. */
export async function flacMs(audio: AudioWindow, start: number): Promise<number | null> {
  // Of the first block, which is always there: 20 bits behind its sizes.
  const streamRate = Math.floor(audio.uint(start + 18, 3) / 16)
  let seconds = 0
  for (let at = start + 42; at < audio.size;) {
    if (!audio.has(at, maxHeader)) await audio.load(at)
    const found = audio.next(0xff, at)
    if (found < audio.size && !audio.has(found, maxHeader)) await audio.load(found)
    seconds += frameSeconds(audio, found, streamRate)
    at = found + 1
  }
  return seconds * 1000
}

/** 0 if there is no frame: its header has a checksum. */
function frameSeconds(audio: AudioWindow, at: number, streamRate: number): number {
  if (audio.byte(at) !== 0xff || (audio.byte(at + 1) & 0xfe) !== 0xf8) return 0
  const [sizeCode, rateCode] = [audio.byte(at + 2) >> 4, audio.byte(at + 2) & 15]
  if (sizeCode === 0 || rateCode === 15) return 0
  const first = audio.byte(at + 4)
  let next = at + 4 + (first < 0x80 ? 1 : Math.max(Math.clz32(~(first << 24)), 2))
  let samples = sizeCode === 1 ? 192 : sizeCode < 6 ? 576 * 2 ** (sizeCode - 2) : 256 * 2 ** (sizeCode - 8)
  if (sizeCode === 6) samples = audio.byte(next++) + 1
  else if (sizeCode === 7) {
    samples = audio.uint(next, 2) + 1
    next += 2
  }
  let rate = rates[rateCode] ?? 0
  if (rateCode === 0) rate = streamRate
  else if (rateCode === 12) rate = audio.byte(next++) * 1000
  else if (rateCode > 12) {
    rate = audio.uint(next, 2) * (rateCode === 14 ? 10 : 1)
    next += 2
  }
  return checksum(audio, at, next) === audio.byte(next) ? samples / Math.max(rate, 1) : 0
}

/** CRC-8 with the polynomial x⁸ + x² + x + 1. */
function checksum(audio: AudioWindow, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at++) {
    sum ^= audio.byte(at)
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80 ? ((sum << 1) ^ 0x07) & 0xff : sum << 1
  }
  return sum
}
