import { join } from 'node:path'
import { z } from 'zod'
import { readApart } from '../processing/read-apart.ts'
import { damaged, tooSlow, type VideoFacts } from './facts.ts'

const program = join(import.meta.dir, 'read-headers.ts')

const whole = z.int().min(0).nullable()
const codec = z.string().max(100).nullable()
const Headers = z.object({
  width: whole,
  height: whole,
  durationMs: whole,
  frameRate: z.number().nullable(),
  rotation: whole,
  videoCodec: codec,
  audioCodec: codec,
  hasAudio: z.boolean(),
})
export type Headers = z.output<typeof Headers>

/** @throws UnreadableVideoError */
export async function readHeaders(path: string): Promise<VideoFacts> {
  const read = await readApart({ program, path, facts: Headers })
  if (read === 'late') throw tooSlow()
  if (read === 'unreadable') throw damaged()
  return read
}
