import { BlobSource, Input, MP4, QTFF, WEBM, type InputAudioTrack, type InputVideoTrack } from 'mediabunny'
import { writeFacts } from '../processing/reader.ts'
import type { Headers } from './headers.ts'

// A separate process that reads the headers of one video.

/** Packets at the beginning by which the frame rate is measured. */
const measuredPackets = 500

await writeFacts(read)

async function read(path: string): Promise<Headers> {
  const input = new Input({ source: new BlobSource(Bun.file(path)), formats: [MP4, QTFF, WEBM] })
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
  if (!video) throw new Error('It has no video track')
  const { averagePacketRate } = await video.computePacketStats(measuredPackets)
  return {
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
    durationMs: Math.round((await input.computeDuration()) * 1000),
    frameRate: averagePacketRate > 0 ? averagePacketRate : null,
    rotation: await video.getRotation(),
    videoCodec: await codecOf(video),
    audioCodec: audio && (await codecOf(audio)),
    hasAudio: audio !== null,
  }
}

/** As ffmpeg names it. */
async function codecOf(track: InputVideoTrack | InputAudioTrack): Promise<string | null> {
  const codec = await track.getCodec()
  if (codec) return codec === 'avc' ? 'h264' : codec
  const id = String(await track.getInternalCodecId())
  if (id.startsWith('ap')) return 'prores'
  return id === 'mp4v' ? 'mpeg4' : null
}
