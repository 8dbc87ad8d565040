import { accessSync, constants } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Log } from '#lib/log.ts'
import type { VideoType } from '../../contract.ts'
import { runBounded, words } from './run.ts'

export interface Ffmpeg {
  ffmpeg: string
  ffprobe: string
  /** Whether it writes H.264 and AAC, which networks take. */
  encodes: boolean
}

interface Settings {
  FFMPEG_PATH?: string
}

const known = new Map<string, Promise<Ffmpeg | null>>()

/** The ffmpeg of FFMPEG_PATH or of this machine; null when it has none, or for `off`. Looked up once. */
export function findFfmpeg({ FFMPEG_PATH: path = '' }: Settings): Promise<Ffmpeg | null> {
  const found = known.get(path) ?? look(path)
  known.set(path, found)
  return found
}

async function look(path: string): Promise<Ffmpeg | null> {
  const ffmpeg = path === 'off' ? null : path || Bun.which('ffmpeg')
  if (!ffmpeg) return null
  const ffprobe = join(dirname(ffmpeg), 'ffprobe')
  if (![ffmpeg, ffprobe].every(isProgram)) return null
  const bounds = { seconds: 10, mebibytes: 1536 }
  const { exitCode, output } = await runBounded({ command: [ffmpeg, '-hide_banner', '-encoders'], bounds })
  return exitCode === 0 ? { ffmpeg, ffprobe, encodes: / libx264 /.test(output) && / aac /.test(output) } : null
}

/** Says at start what this server does with videos. */
export async function logVideoSupport({ config, log }: { config: Settings; log: Log }): Promise<void> {
  const ffmpeg = await findFfmpeg(config)
  if (!ffmpeg) log.info('ffmpeg was not found: videos get no preview and no copy for networks')
  else if (!ffmpeg.encodes) log.info('ffmpeg can’t write H.264 and AAC: videos get no copy for networks')
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const demuxers: Record<VideoType, string> = { 'video/mp4': 'mov', 'video/quicktime': 'mov', 'video/webm': 'matroska' }
const decoders =
  'h264,hevc,vp8,libvpx,vp9,libvpx-vp9,av1,libdav1d,libaom-av1,mpeg4,prores,mjpeg,' +
  'aac,mp3,mp3float,opus,libopus,vorbis,alac,ac3,eac3,flac,pcm_s16le,pcm_s16be'

/** One file, read by the demuxer of its type: no playlist, no address, and no decoder of rare formats. */
export const inputOf = (path: string, type: VideoType): string[] => [
  ...words('-protocol_whitelist file -format_whitelist mov,mp4,m4a,3gp,3g2,mj2,matroska,webm'),
  ...words(`-codec_whitelist ${decoders} -f ${demuxers[type]}`),
  '-i',
  `file:${path}`,
]
