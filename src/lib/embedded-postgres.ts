import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { randomToken } from './ids.ts'
import { findRunner, type Runner } from './postgres/binaries.ts'
import { clusterExists, createCluster, database, takeOwnership, resetPassword, user } from './postgres/cluster.ts'
import { connect } from './postgres/connect.ts'
import { connectionUrl, readConnection, writeConnection, type Connection } from './postgres/connection-file.ts'
import { folderFailure } from './postgres/failure.ts'
import { FolderInUse, lockFolder } from './postgres/folder-lock.ts'
import { keepRunning } from './postgres/keep-running.ts'
import { launchWithRetries } from './postgres/launch.ts'
import { clearLeftovers } from './postgres/leftovers.ts'
import { StartupError } from './startup-error.ts'

interface Options {
  dataDir: string
  log: (message: string) => void
  durable?: boolean
}

export interface RunningPostgres {
  url: string
  stop(): Promise<void>
}

/** Ends with this process, even by SIGKILL (on Linux). @throws {StartupError}; {@link FolderInUse} */
export async function startPostgres({ dataDir, log, durable = true }: Options): Promise<RunningPostgres> {
  const home = resolve(dataDir)
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    const lock = lockFolder(home)
    return await startLocked(home, log, durable, lock.release).catch((error: unknown) => {
      lock.release()
      throw error
    })
  } catch (error) {
    throw folderFailure(home, error)
  }
}

/** For commands: connects to the running PostgreSQL, or starts one until `stop` is called. @throws {StartupError} */
export async function joinOrStartPostgres(options: Options): Promise<RunningPostgres> {
  const home = resolve(options.dataDir)
  const deadline = Date.now() + 10_000
  for (;;) {
    try {
      const url = await runningUrl(home)
      return url ? { url, stop: async () => {} } : await startPostgres(options)
    } catch (error) {
      // The process that holds the folder may still be starting.
      if (!(error instanceof FolderInUse) || Date.now() > deadline) throw folderFailure(home, error)
    }
    await Bun.sleep(100)
  }
}

async function startLocked(
  home: string,
  log: Options['log'],
  durable: boolean,
  release: () => void,
): Promise<RunningPostgres> {
  const cluster = join(home, 'postgres')
  const runner = findRunner()
  await clearLeftovers(cluster, log)
  const password = await openCluster(cluster, readConnection(home)?.password, runner, durable)
  const start = (port?: number) => launchWithRetries({ cluster, runner, durable }, port)
  const server = await start()
  const connection = { host: '127.0.0.1', port: server.port, user, password, database, pid: process.pid }
  writeConnection(home, connection)
  const kept = keepRunning(server, () => clearLeftovers(cluster, log).then(() => start(server.port)), log)
  return { url: connectionUrl(connection), stop: () => kept.stop().finally(release) }
}

async function openCluster(
  folder: string,
  known: string | undefined,
  runner: Runner,
  durable: boolean,
): Promise<string> {
  const password = known ?? randomToken()
  if (!clusterExists(folder)) await createCluster({ folder, password, runner, durable })
  else if (!known) await resetPassword(folder, password, runner)
  takeOwnership(folder, runner)
  return password
}

async function runningUrl(home: string): Promise<string | undefined> {
  const connection = readConnection(home)
  return connection && (await isReachable(connection)) ? connectionUrl(connection) : undefined
}

async function isReachable(connection: Connection): Promise<boolean> {
  try {
    const { sql } = await connect(connectionUrl(connection), 2_000)
    await sql.end()
    return true
  } catch (error) {
    if (error instanceof StartupError) return false
    throw error
  }
}
