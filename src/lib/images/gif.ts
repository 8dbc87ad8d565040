import { UnreadableImageError, type Animation } from './prepared.ts'

const maxFrames = 1000
const maxMinutes = 10
/** Browsers show frames of less than 20 ms for 100 ms. */
const [shortestMs, shownMs] = [20, 100]

/** Counts frames without decoding them. A file that ends early has those before. @throws UnreadableImageError */
export function measureGif(file: Uint8Array): Animation {
  const colors = (at: number) => ((file[at] ?? 0) & 0x80 ? 3 * 2 ** (((file[at] ?? 0) & 7) + 1) : 0)
  const skipBlocks = (from: number) => {
    let at = from
    for (let size = file[at]; size; size = file[at]) at += size + 1
    return at + 1
  }
  const measured = { frames: 0, durationMs: 0 }
  let delayMs = shownMs
  for (let at = 13 + colors(10); at < file.length;) {
    const kind = file[at]
    if (kind === 0x21) {
      if (file[at + 1] === 0xf9) delayMs = toShown(10 * ((file[at + 4] ?? 0) + 256 * (file[at + 5] ?? 0)))
      at = skipBlocks(at + 2)
    } else if (kind === 0x2c) {
      measured.frames += 1
      measured.durationMs += delayMs
      delayMs = shownMs
      at = skipBlocks(at + 11 + colors(at + 9))
    } else break
  }
  requireShort('GIF', measured)
  return measured
}

const toShown = (ms: number): number => (ms < shortestMs ? shownMs : ms)

/** @throws UnreadableImageError for animations that are videos rather than images */
export function requireShort(kind: string, { frames, durationMs }: Animation): void {
  if (frames > maxFrames)
    throw new UnreadableImageError(
      `An animated ${kind} can have at most ${maxFrames} frames. Upload a shorter one, or a video.`,
    )
  if (durationMs > maxMinutes * 60_000)
    throw new UnreadableImageError(
      `An animated ${kind} can take at most ${maxMinutes} minutes. Upload a shorter one, or a video.`,
    )
}
