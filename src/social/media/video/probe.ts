import { z } from 'zod'
import type { VideoType } from '../../contract.ts'
import { damaged, requireSane, tooSlow, type VideoFacts } from './facts.ts'
import { inputOf, type Ffmpeg } from './ffmpeg.ts'
import { readHeaders } from './headers.ts'
import { runBounded, words } from './run.ts'

const bounds = { seconds: 30, mebibytes: 1536 }

/** Reads a file's headers: with ffprobe, and without it by a parser in its own process. @throws UnreadableVideoError */
export const probe = async (path: string, type: VideoType, ffmpeg: Ffmpeg | null): Promise<VideoFacts> =>
  requireSane(ffmpeg ? await probeWith(ffmpeg, path, type) : await readHeaders(path))

async function probeWith({ ffprobe }: Ffmpeg, path: string, type: VideoType): Promise<VideoFacts> {
  const { exitCode, isLate, output } = await runBounded({
    command: [
      ffprobe,
      ...words(`-v error -hide_banner -print_format json -show_entries ${entries} -probesize 20M -analyzeduration 5M`),
      ...inputOf(path, type),
    ],
    bounds,
  })
  if (isLate) throw tooSlow()
  if (exitCode !== 0) throw damaged()
  const read = Probed.safeParse(parseJson(output))
  if (!read.success) throw damaged()
  return factsOf(read.data)
}

const entries =
  'format=duration:stream=codec_type,codec_name,width,height,sample_aspect_ratio,avg_frame_rate,r_frame_rate,duration:' +
  'stream_disposition=attached_pic:stream_side_data=rotation'

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const Seconds = z.coerce.number().positive().optional().catch(undefined)
const Rate = z
  .string()
  .transform((text) => {
    const [frames = 0, seconds = 0] = text.split('/').map(Number)
    return seconds > 0 && frames > 0 ? frames / seconds : null
  })
  .nullable()
  .catch(null)
const Stream = z.object({
  codec_type: z.string().catch(''),
  codec_name: z.string().nullable().catch(null),
  width: z.int().positive().nullable().catch(null),
  height: z.int().positive().nullable().catch(null),
  duration: Seconds,
  avg_frame_rate: Rate,
  r_frame_rate: Rate,
  disposition: z.object({ attached_pic: z.int().catch(0) }).catch({ attached_pic: 0 }),
  side_data_list: z.array(z.object({ rotation: z.number().optional().catch(undefined) })).catch([]),
})
const Probed = z.object({ format: z.object({ duration: Seconds }), streams: z.array(Stream).max(1000) })

function factsOf({ format, streams }: z.output<typeof Probed>): VideoFacts {
  const video = streams.find(({ codec_type: type, disposition }) => type === 'video' && disposition.attached_pic === 0)
  const audio = streams.find(({ codec_type: type }) => type === 'audio')
  if (!video?.width || !video.height) throw damaged()
  // ffmpeg counts counterclockwise.
  const turned = video.side_data_list.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0
  const rotation = (((Math.round(-turned / 90) * 90) % 360) + 360) % 360
  const isUpright = rotation % 180 === 0
  const seconds = format.duration ?? video.duration
  return {
    width: isUpright ? video.width : video.height,
    height: isUpright ? video.height : video.width,
    durationMs: seconds === undefined ? null : Math.round(seconds * 1000),
    frameRate: video.avg_frame_rate ?? video.r_frame_rate,
    rotation,
    videoCodec: video.codec_name,
    audioCodec: audio?.codec_name ?? null,
    hasAudio: audio !== undefined,
  }
}
