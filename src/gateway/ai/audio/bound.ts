import { flacMs } from './flac.ts'
import { mp3Ms } from './mp3.ts'
import { mp4Ms } from './mp4.ts'
import { oggMs } from './ogg.ts'
import { wavMs } from './wav.ts'
import { webmMs } from './webm.ts'
import { AudioWindow } from './window.ts'

/** Opus sends 120 ms of silence in 2 bytes. Only FLAC needs less, and its frames are counted. */
const maxMsPerByte = 60

/**
 * Milliseconds that the file can’t exceed when it is decoded: by the number of its frames, since silence compresses to
 * almost nothing and what a header declares can be too little. Of unknown formats, by their size.
 */
export async function maxAudioMs(file: Blob): Promise<number> {
  const audio = new AudioWindow(file)
  await audio.load(0)
  const start = await skipTag(audio)
  const counted = await countMs(audio, start)
  return Math.ceil(counted ?? file.size * maxMsPerByte)
}

/** Null when the format isn’t known, or has a codec that isn’t. */
function countMs(audio: AudioWindow, start: number): Promise<number | null> {
  const name = audio.text(start, 4)
  if (name === 'RIFF' && audio.text(start + 8, 4) === 'WAVE') return wavMs(audio, start)
  if (name === 'fLaC') return flacMs(audio, start)
  if (name === 'OggS') return oggMs(audio, start)
  if (audio.text(start + 4, 4) === 'ftyp') return mp4Ms(audio, start)
  if (audio.uint(start, 4) === 0x1a45dfa3) return webmMs(audio, start)
  return mp3Ms(audio, start)
}

/** ID3v2 can be before any format. */
async function skipTag(audio: AudioWindow): Promise<number> {
  if (audio.text(0, 3) !== 'ID3') return 0
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (audio.byte(at) & 0x7f), 0)
  const start = 10 + size
  await audio.load(start)
  return start
}
