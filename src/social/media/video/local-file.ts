import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Storage, StoredFile } from '#lib/storage.ts'

/** For the files that ffmpeg reads and writes. */
export const workFolder = ({ DATA_DIR }: { DATA_DIR: string }): string => join(DATA_DIR, 'media-work')

interface Place {
  storage: Storage
  config: { DATA_DIR: string }
}

/** Gives `work` a stored file as one on this disk; null without one. An object store's file is copied for that time. */
export async function withLocalFile<Result>(
  place: Place,
  key: string,
  work: (path: string) => Promise<Result>,
): Promise<Result | null> {
  const file = await place.storage.read(key)
  if (!file) return null
  if (file.path) return work(file.path)
  return withWorkFile(place, async (path) => {
    await copy(file, path)
    return work(path)
  })
}

/** Gives `work` a path for a file, which is deleted afterwards. */
export async function withWorkFile<Result>(
  { config }: Pick<Place, 'config'>,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = workFolder(config)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, Bun.randomUUIDv7())
  try {
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}

async function copy(file: StoredFile, path: string): Promise<void> {
  const copied = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of file.chunks()) await copied.writeFile(chunk)
  } finally {
    await copied.close()
  }
}
