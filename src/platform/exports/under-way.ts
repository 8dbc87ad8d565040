import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

export const folderUnderWay = ({ DATA_DIR }: { DATA_DIR: string }): string => join(DATA_DIR, 'exports-under-way')

/** Those of servers that were killed. */
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
