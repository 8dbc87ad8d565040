import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '#lib/embedded-postgres.ts'
import { scratchFolder } from './scratch.ts'
import { keepTemplates, restoreTemplates } from './template-cache.ts'

export interface TestPostgres {
  /** Its database `postgres`: for creating and dropping others. */
  adminUrl: string
  /** The folder of its files and those of the templates. */
  folder: string
  /** Stops it. Its templates are kept for later runs of the same code when `keep` is true. */
  stop(keep?: boolean): Promise<void>
}

/** Starts one throwaway server for a test run: it never syncs, and its folder is deleted with it. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(scratchFolder(), 'atrium-test-'))
  const known = restoreTemplates(folder)
  const server = await startPostgres({ dataDir: folder, log: console.warn, durable: false })
  const stop = async (keep = false) => {
    try {
      await server.stop()
      if (keep && !known) keepTemplates(folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return { adminUrl: databaseUrl(server.url, 'postgres'), folder, stop }
}

/** The URL of another database on the same server. */
export function databaseUrl(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}
