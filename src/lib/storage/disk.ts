import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Glob } from 'bun'
import { removeAbandoned } from '../abandoned-files.ts'
import type { ByteRange } from '../reply.ts'
import type { Content, Storage } from './interface.ts'

/** For files that are being written. */
const incomingFolder = '.incoming'

export function diskStorage(folder: string): Storage {
  const at = (key: string) => join(folder, key)
  const moveIn = async (key: string, write: (incoming: string) => Promise<void>) => {
    const path = at(key)
    const incoming = join(folder, incomingFolder, Bun.randomUUIDv7())
    await Promise.all([path, incoming].map((each) => mkdir(dirname(each), { recursive: true, mode: 0o700 })))
    try {
      await write(incoming)
      await rename(incoming, path)
    } catch (error) {
      await rm(incoming, { force: true })
      throw error
    }
  }
  return {
    put: (key, content) => moveIn(key, (incoming) => writeThrough(incoming, content)),
    putFile: (key, path) => moveIn(key, (incoming) => copyThrough(path, incoming)),
    read: async (key) => {
      const file = Bun.file(at(key))
      if (!(await file.exists())) return null
      const blob = (range?: ByteRange) => (range ? file.slice(range.from, range.end) : file)
      return {
        size: file.size,
        stream: (range) => blob(range).stream(),
        blob,
        path: at(key),
        chunks: () => chunksOf(at(key)),
        bytes: () => file.bytes(),
      }
    },
    delete: async (key) => rm(at(key), { force: true }),
    exists: async (key) => Bun.file(at(key)).exists(),
    keys: () => keysUnder(folder),
    removeUnfinished: (before) => removeAbandoned(join(folder, incomingFolder), before),
  }
}

const chunkBytes = 256 * 1024

/** All chunks are in one buffer: those of a stream stay in memory until the garbage collector runs. */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const file = await open(path)
  try {
    const buffer = new Uint8Array(chunkBytes)
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, null)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

async function* keysUnder(folder: string): AsyncGenerator<string> {
  if (!existsSync(folder)) return
  yield* new Glob('**/*').scan({ cwd: folder, onlyFiles: true })
}

/** Synced to disk before it is renamed, so that a power cut leaves no partial file. */
async function writeThrough(path: string, content: Content): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    if (content instanceof Uint8Array) await file.writeFile(content)
    else for await (const chunk of content) await file.writeFile(chunk)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function copyThrough(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL)
  const file = await open(to, 'r+')
  try {
    await file.chmod(0o600)
    await file.sync()
  } finally {
    await file.close()
  }
}
