import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A video that ffmpeg encodes of generated pictures, with these arguments for the file of that name. */
export const encodeVideo = (name: string, pictures: string, ...args: string[]): Uint8Array<ArrayBuffer> =>
  inFolder((folder) => run(['-f', 'lavfi', '-i', pictures, ...args, '-threads', '1'], join(folder, name)))

/** The same video with changed headers. */
export const remuxVideo = (name: string, video: Uint8Array, ...args: string[]): Uint8Array<ArrayBuffer> =>
  inFolder((folder) => {
    const source = join(folder, `source-${name}`)
    writeFileSync(source, video)
    return run(['-i', source, '-c', 'copy', ...args], join(folder, name))
  })

function run(args: string[], path: string): Uint8Array<ArrayBuffer> {
  const { success, stderr } = Bun.spawnSync([Bun.which('ffmpeg') ?? 'ffmpeg', '-v', 'error', ...args, path])
  if (!success) throw new Error(stderr.toString())
  return new Uint8Array(readFileSync(path))
}

function inFolder<Result>(work: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-video-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
