import type { VideoType } from '../../contract.ts'
import type { MediaRow } from '../files.ts'
import { inputOf, type Ffmpeg } from './ffmpeg.ts'
import { runBounded, words } from './run.ts'

/** Bluesky and Mastodon allow 100 MB. */
const maxCopyBytes = 95_000_000
export const transcodingSeconds = 60 * 60
const bounds = { seconds: transcodingSeconds, mebibytes: 3072, fileBytes: 4 * maxCopyBytes }

const maxEdge = 1920
const maxFrameRate = 60
const audioKilobits = 128
/** Of the picture in kilobits per second. */
const bitrates = { least: 200, most: 6000 }

type Facts = Pick<MediaRow, 'contentType' | 'bytes' | 'videoCodec' | 'audioCodec' | 'durationMs'>

/** Whether a network that takes MP4 with H.264 and AAC could reject the original. */
export const needsCopy = ({ contentType, bytes, videoCodec, audioCodec }: Facts): boolean =>
  contentType !== 'video/mp4' ||
  videoCodec !== 'h264' ||
  (audioCodec !== null && audioCodec !== 'aac') ||
  bytes > maxCopyBytes

interface Transcoding {
  path: string
  type: VideoType
  target: string
  durationMs: number | null
  signal: AbortSignal
  onProgress(percent: number): void
}

/** Writes an MP4 with H.264 and AAC to `target`. @returns why it failed, for a person; null when it is complete */
export async function transcode({ ffmpeg }: Ffmpeg, video: Transcoding): Promise<string | null> {
  const { path, type, target, durationMs, signal, onProgress } = video
  const bitrate = bitrateFor(durationMs)
  const { exitCode, isLate } = await runBounded({
    command: [
      ffmpeg,
      ...words('-nostdin -hide_banner -v error -threads 2'),
      ...inputOf(path, type),
      ...words('-map 0:v:0 -map 0:a:0? -sn -dn -map_metadata -1 -map_chapters -1'),
      ...words(`-vf ${scale} -fpsmax ${maxFrameRate} -c:v libx264 -preset veryfast -profile:v high -threads 2`),
      ...words(`-crf 23 -maxrate ${bitrate}k -bufsize ${2 * bitrate}k`),
      ...words(`-c:a aac -b:a ${audioKilobits}k -ac 2 -ar 48000 -movflags +faststart`),
      ...words('-progress pipe:1 -nostats -f mp4 -y'),
      `file:${target}`,
    ],
    bounds,
    signal,
    onLine: (line) => {
      const [, microseconds] = /^out_time_us=(\d+)$/.exec(line) ?? []
      if (microseconds && durationMs) onProgress(Math.min(99, Math.floor(Number(microseconds) / durationMs / 10)))
    },
  })
  if (isLate) return 'Transcoding took longer than an hour. Upload a shorter or smaller video.'
  return exitCode === 0 ? null : 'ffmpeg can’t transcode this video. Export it as MP4 with H.264.'
}

const scale = `scale='min(${maxEdge},iw)':'min(${maxEdge},ih)':force_original_aspect_ratio=decrease:force_divisible_by=2,format=yuv420p`

/** As much as fits into the copy. */
function bitrateFor(durationMs: number | null): number {
  if (!durationMs) return bitrates.most
  const fitting = Math.floor((maxCopyBytes * 8 * 0.93) / durationMs) - audioKilobits
  return Math.max(bitrates.least, Math.min(bitrates.most, fitting))
}
