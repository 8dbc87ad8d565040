import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, type Program } from '../boot/program.ts'
import { scaleTime } from './time-scale.ts'

/** Short durations, so that a test sees a lease expire (docs: 30 s, 10 s, 10 s, 90 s). */
const quickSettings = {
  PUBLISH_LEASE_MS: String(scaleTime(2000)),
  SETTLEMENT_LEASE_MS: String(scaleTime(5000)),
  PUBLISH_HEARTBEAT_MS: String(scaleTime(500)),
  PROVIDER_TIMEOUT_MS: String(scaleTime(1000)),
  PUBLISH_RETRY_BUDGET_MS: String(scaleTime(3000)),
}

/** A busy machine takes longer to reach each of many callers. */
export const longTimeouts = { DATABASE_WAIT_MS: String(scaleTime(5000)), IMAGE_WAIT_MS: String(scaleTime(30_000)) }

/** The folder of the servers of this process: shared, as with replicas. */
export const home = mkdtempSync(join(tmpdir(), 'atrium-served-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))

/** More calls of one address than a person makes: limits are counted, and never reached. */
const highLimits = Object.fromEntries(
  ['READS', 'WRITES', 'UPLOADS', 'SIGN_IN', 'AI', 'INGESTION', 'CHECKS'].map((name) => [
    `RATE_LIMIT_${name}`,
    '1000000',
  ]),
)

const quickHashes = join(import.meta.dir, 'quick-hashes.ts')

/** A server under test in a separate process. */
export interface Served extends Program {
  url: string
}

interface Options {
  databaseUrl: string
  env?: Record<string, string>
  /** A module that the server preloads. */
  preload?: string
  /** Where its log goes, instead of to this process. */
  file?: string
  /** The program, such as a bundle of it. */
  entry?: string
}

export const secretsKey = '8d1f6c0b97a24e53f0c86d1b2e7a9f34c5608b7d1e92f4a3b6c7d8e9f0a1b2c3'

/** Variables that staging requires besides production's (PLT-26). */
export const stagingNetworks = {
  BLUESKY_RESOLVER_URL: 'https://bluesky.staging.example.com',
  PLC_DIRECTORY_URL: 'https://plc.staging.example.com',
  PAY_APP_URL: 'https://pay.staging.example.com',
}

/** Starts a server on a database, on any free port, with short publishing durations. */
export const serve = (options: Options): Promise<Served> => listening(spawnServer(options))

/** The same without waiting: for a server that is killed before it is ready. */
export const spawnServer = ({ preload, file, entry = 'src/server.ts', ...options }: Options): Program =>
  run([process.execPath, '--preload', quickHashes, ...(preload ? ['--preload', preload] : []), entry], {
    env: environmentOf(options),
    file,
  })

/** The environment variables of a server under test. */
export const environmentOf = ({
  databaseUrl,
  env = {},
}: Omit<Options, 'preload' | 'file' | 'entry'>): Record<string, string> => ({
  ATRIUM_ENV: 'test',
  PORT: '0',
  DATA_DIR: home,
  DATABASE_URL: databaseUrl,
  SECRETS_KEY: secretsKey,
  LOG_LEVEL: 'warn',
  ...quickSettings,
  ...highLimits,
  ...longTimeouts,
  ...env,
})

/** The sandbox network as a separate process, with its URL. */
export async function serveSandboxProcess(databaseUrl: string): Promise<Served> {
  const env = { ATRIUM_ENV: 'test', PORT: '0', DATABASE_URL: databaseUrl }
  return listening(run([process.execPath, 'src/cli.ts', 'sandbox'], { env }))
}

async function listening(program: Program): Promise<Served> {
  const [, url = ''] = await program.until(/(http:\/\/[\w.]+:\d+)/)
  return { ...program, url }
}
