import { existsSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Glob } from 'bun'
import type { Storage } from './interface.ts'

/** Files in a folder, which is made with the first of them, for this user alone. */
export function diskStorage(folder: string): Storage {
  const at = (key: string) => join(folder, key)
  return {
    put: async (key, bytes) => {
      const path = at(key)
      const incoming = join(folder, '.incoming', Bun.randomUUIDv7())
      await Promise.all([path, incoming].map((each) => mkdir(dirname(each), { recursive: true, mode: 0o700 })))
      try {
        await writeThrough(incoming, bytes)
        await rename(incoming, path)
      } catch (error) {
        await rm(incoming, { force: true })
        throw error
      }
    },
    read: async (key) => {
      const file = Bun.file(at(key))
      if (!(await file.exists())) return null
      return {
        size: file.size,
        stream: (range) => (range ? file.slice(range.from, range.end) : file).stream(),
        bytes: () => file.bytes(),
      }
    },
    delete: async (key) => rm(at(key), { force: true }),
    exists: async (key) => Bun.file(at(key)).exists(),
    keys: () => keysUnder(folder),
  }
}

/** Without what is still coming in, whose folder begins with a dot. */
async function* keysUnder(folder: string): AsyncGenerator<string> {
  if (!existsSync(folder)) return
  yield* new Glob('**/*').scan({ cwd: folder, onlyFiles: true })
}

/** On the disk before it has its name: after a power cut there is no half file. */
async function writeThrough(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}
