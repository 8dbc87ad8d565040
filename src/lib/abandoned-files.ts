import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Deletes the files of a folder that servers left behind when they were killed. */
export async function removeAbandoned(folder: string, before: Date): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null) // Removed in the meantime, by its own job.
    if (found && found.mtime < before) await rm(path, { force: true })
  }
}
