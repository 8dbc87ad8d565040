import { StartupError } from '#lib/startup-error.ts'
import { spawn, type Runner } from './binaries.ts'
import { clusterFailure } from './failure.ts'
import { postmaster } from './leftovers.ts'

/** Small and fast on one machine. Syncs to disk stay on. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  jit: 'off',
  random_page_cost: '1.1',
  io_method: 'sync',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
}
const volatile = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

interface LaunchOptions {
  cluster: string
  port: number
  runner: Runner
  durable: boolean
}

export interface Server {
  port: number
  exited: Promise<number>
  kill(signal: NodeJS.Signals): void
}

/** @throws {StartupError} with its output */
async function launch({ cluster, port, runner, durable }: LaunchOptions): Promise<Server> {
  const chosen = Object.entries({ ...settings, ...(durable ? {} : volatile) })
  const options = chosen.flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const program = spawn('postgres', ['-D', cluster, '-p', String(port), ...options], runner)
  const output = readLastLines(program.stderr)
  while (postmaster(cluster)?.state !== 'ready') {
    if (program.exitCode !== null || program.signalCode !== null) throw clusterFailure(cluster, await output)
    await Bun.sleep(5)
  }
  return { port, exited: program.exited, kill: (signal) => program.kill(signal) }
}

/** The port can just have been taken, or processes of a killed server still be running. */
export async function launchWithRetries(
  options: Omit<LaunchOptions, 'port'>,
  port?: number,
  attempts = 40,
): Promise<Server> {
  try {
    return await launch({ ...options, port: port ?? freePort() })
  } catch (error) {
    const passes = error instanceof StartupError && /Address already in use|still in use/.test(error.message)
    if (!passes || attempts === 1) throw error
  }
  await Bun.sleep(250)
  return launchWithRetries(options, port, attempts - 1)
}

async function readLastLines(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let kept = ''
  for await (const bytes of stream) kept = (kept + decoder.decode(bytes, { stream: true })).slice(-4000)
  return kept.trim()
}

export function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  probe.stop(true)
  return probe.port
}
