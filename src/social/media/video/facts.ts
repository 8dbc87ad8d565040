import type { media } from '../../schema.ts'

type MediaRow = typeof media.$inferSelect

/** What a file's headers say about a video; null when they don't. */
export type VideoFacts = Pick<
  MediaRow,
  'width' | 'height' | 'durationMs' | 'frameRate' | 'rotation' | 'videoCodec' | 'audioCodec' | 'hasAudio'
>

/** Its message is for the person who sent the file. */
export class UnreadableVideoError extends Error {}

export const damaged = () => new UnreadableVideoError('This video can’t be read. It may be damaged or incomplete.')

export const tooSlow = () => new UnreadableVideoError('This video takes too long to read. Export it again.')

/** Pixels of a frame: 8K. Decoding more takes too much memory. */
const maxPixels = 7680 * 4320
const maxEdge = 16_384
/** A day. Headers can state any number. */
const maxDurationMs = 24 * 60 * 60 * 1000
const maxFrameRate = 1000

/** Refuses what no player could show. @throws UnreadableVideoError */
export function requireSane(facts: VideoFacts): VideoFacts {
  const { width, height, durationMs, frameRate } = facts
  if (!width || !height) throw damaged()
  if (width * height > maxPixels || Math.max(width, height) > maxEdge)
    throw new UnreadableVideoError(
      `This video is ${width} × ${height} pixels. Videos can have at most 7680 × 4320. Export a smaller one.`,
    )
  if (durationMs !== null && durationMs > maxDurationMs)
    throw new UnreadableVideoError('This video says that it is longer than a day. Export it again.')
  return { ...facts, frameRate: frameRate && frameRate <= maxFrameRate ? Math.round(frameRate * 1000) / 1000 : null }
}
