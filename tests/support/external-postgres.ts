import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomToken } from '#lib/ids.ts'
import { findRunner } from '#lib/postgres/binaries.ts'
import { createCluster, database, takeOwnership, user } from '#lib/postgres/cluster.ts'
import { connectionUrl } from '#lib/postgres/connection-file.ts'
import { launchWithRetries } from '#lib/postgres/launch.ts'
import { clearLeftovers } from '#lib/postgres/leftovers.ts'

/** How PostgreSQL is stopped: its own names for SIGINT and SIGQUIT, and SIGKILL. */
export type Shutdown = 'fast' | 'immediate' | 'killed'

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT', killed: 'SIGKILL' } as const

/**
 * A PostgreSQL of its own for a test, independent of any server, which can be stopped and restarted. Commits are
 * durable.
 */
export interface ExternalPostgres {
  /** Of its database `atrium`, which is empty at first. */
  url(): string
  end(how: Shutdown): Promise<void>
  /** Restarts it, on the same address or on `another`. */
  begin(options?: { another?: boolean }): Promise<void>
  /** Stops it and removes its files. */
  remove(): Promise<void>
}

export async function startExternalPostgres(): Promise<ExternalPostgres> {
  const home = mkdtempSync(join(tmpdir(), 'atrium-external-'))
  const cluster = join(home, 'postgres')
  const password = randomToken()
  const options = { cluster, runner: findRunner(), durable: true }
  await createCluster({ folder: cluster, password, runner: options.runner, durable: false })
  takeOwnership(cluster, options.runner)
  let server = await launchWithRetries(options)
  const end = async (how: Shutdown) => {
    server.kill(signals[how])
    await server.exited
  }
  return {
    url: () => connectionUrl({ host: '127.0.0.1', port: server.port, user, password, database, pid: 0 }),
    end,
    begin: async ({ another = false } = {}) => {
      await clearLeftovers(cluster, () => {})
      server = await launchWithRetries(options, another ? undefined : server.port)
    },
    remove: async () => {
      await end('immediate')
      rmSync(home, { recursive: true, force: true })
    },
  }
}
