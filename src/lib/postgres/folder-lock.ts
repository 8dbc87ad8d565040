import { Database, SQLiteError } from 'bun:sqlite'
import { join } from 'node:path'
import { StartupError } from '#lib/startup-error.ts'

export class FolderInUse extends StartupError {
  constructor(dataDir: string, pid: number) {
    super(`Another Atrium server (pid ${pid}) is using ${dataDir}. Stop it, or set DATA_DIR or DATABASE_URL.`)
  }
}

/** SQLite's write lock on `server.lock`, which the system releases however the process ends. @throws {FolderInUse} */
export function lockFolder(dataDir: string): { release(): void } {
  const file = new Database(join(dataDir, 'server.lock'), { create: true })
  try {
    file.run('PRAGMA synchronous = OFF')
    file.run(`PRAGMA user_version = ${process.pid}`)
    file.run('BEGIN IMMEDIATE')
    return { release: () => file.close() }
  } catch (error) {
    const refusal = isBusy(error) ? new FolderInUse(dataDir, owner(file)) : error
    file.close()
    throw refusal
  }
}

const isBusy = (error: unknown): boolean => error instanceof SQLiteError && error.code === 'SQLITE_BUSY'

const owner = (file: Database): number =>
  file.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
