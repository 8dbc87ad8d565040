import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '#lib/embedded-postgres.ts'

export interface TestPostgres {
  /** Its database `postgres`: for creating and dropping others. */
  adminUrl: string
  stop(): Promise<void>
}

/** Starts one throwaway server for a test run: nothing it stores is ever synced, and its folder goes with it. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-test-'))
  const server = await startPostgres({ dataDir, log: console.warn, durable: false })
  const stop = () => server.stop().finally(() => rmSync(dataDir, { recursive: true, force: true }))
  return { adminUrl: databaseUrl(server.url, 'postgres'), stop }
}

/** The address of another database on the same server. */
export function databaseUrl(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}
