import type { VideoType } from '../../contract.ts'
import { inputOf, type Ffmpeg } from './ffmpeg.ts'
import { withWorkFile } from './local-file.ts'
import { runBounded, words } from './run.ts'

const maxFrameBytes = 8 * 1024 * 1024
const bounds = { seconds: 60, mebibytes: 2048, fileBytes: maxFrameBytes }
/** Videos often begin black. */
const preferredMs = 1000

interface Video {
  path: string
  type: VideoType
  durationMs: number | null
}

/** A frame of a video as a JPEG of at most 1280 pixels; null when none can be decoded. */
export async function drawPoster(
  place: { config: { DATA_DIR: string } },
  { ffmpeg }: Ffmpeg,
  { path, type, durationMs }: Video,
): Promise<Uint8Array<ArrayBuffer> | null> {
  for (const at of new Set([Math.min(preferredMs, (durationMs ?? 0) / 2) / 1000, 0])) {
    const frame = await withWorkFile(place, async (target) => {
      const { exitCode } = await runBounded({
        command: [
          ffmpeg,
          ...words(`-nostdin -hide_banner -v error -threads 2 -ss ${at.toFixed(3)}`),
          ...inputOf(path, type),
          ...words(`-map 0:v:0 -an -sn -dn -frames:v 1 -vf ${scale}`),
          ...words('-threads 1 -c:v mjpeg -q:v 3 -f image2 -update 1 -y'),
          `file:${target}`,
        ],
        bounds,
      })
      const drawn = Bun.file(target)
      return exitCode === 0 && (await drawn.exists()) && drawn.size > 0 ? drawn.bytes() : null
    })
    if (frame) return frame
  }
  return null
}

const scale = "scale='min(1280,iw)':'min(1280,ih)':force_original_aspect_ratio=decrease,format=yuvj420p"
