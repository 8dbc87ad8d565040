import { databaseAddress, readConfig, type Config } from '#config'
import { describeApi } from './api-description.ts'
import { chosenContexts } from './contexts.ts'
import { joinOrStartPostgres } from '#lib/embedded-postgres.ts'
import { migrate } from '#lib/migrate.ts'
import { StartupError } from '#lib/startup-error.ts'
import { createAdmin } from './commands/admin-create.ts'
import { backUp, putBack } from './commands/backup.ts'
import { rotateKeys } from './commands/keys-rotate.ts'
import { rotate } from './commands/secrets-rotate.ts'
import { createServiceKey } from './commands/service-key.ts'
import { seed } from './commands/seed.ts'
import { serveSandbox } from './social/sandbox/server.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** What can be done from the command line: `bun src/cli.ts <name>`. */
const commands: Record<string, (config: Config, words: string[]) => Promise<void>> = {
  /** Makes the database and brings it to this release. */
  async setup(config) {
    await withDatabase(config, migrate)
    say('The database is ready. Start with: bun run start')
  },
  /** A link that makes somebody a super admin: `admin:create <email>`. */
  async 'admin:create'(config, words) {
    await withDatabase(config, (url) => createAdmin(config, url, say, words, new Date()))
  },
  /** A key pair for a service that runs elsewhere: `service:key <slug>`. */
  async 'service:key'(config, words) {
    await withDatabase(config, (url) => createServiceKey(url, say, words, new Date()))
  },
  /** Puts every secret under SECRETS_KEY, beside running servers. */
  async 'secrets:rotate'(config) {
    await withDatabase(config, (url) => rotate(config, url, say))
  },
  /** A new key for tokens at once, beside running servers: the old ones sign and verify nothing any more. */
  async 'keys:rotate'(config) {
    await withDatabase(config, (url) => rotateKeys(config, url, say))
  },
  /** One archive of everything: `backup [file]`. */
  async backup(config, words) {
    await withDatabase(config, (url) => backUp(config, url, say, words, new Date()))
  },
  /** Puts it back: `restore <file> [--replace] [--hold] [--unsigned]`. */
  async restore(config, words) {
    await withDatabase(config, (url) => putBack(config, url, say, words))
  },
  /** Writes the description of the API: to the file that is named, else to the standard output. */
  async openapi(config, [path]) {
    const text = JSON.stringify(describeApi(chosenContexts(config), config), null, 2)
    if (!path) return say(text)
    await Bun.write(path, `${text}\n`)
    say(`The API is described in ${path}`)
  },
  /** Fills a demo workspace, through the running server when there is one. */
  async seed(config) {
    await seed(config, say, new Date())
  },
  /** The sandbox network as a process of its own, on DATABASE_URL and PORT. */
  async sandbox(config) {
    const at = databaseAddress(config)
    if (!at) throw new StartupError('The sandbox network needs DATABASE_URL, the database it writes to.')
    if (!config.offlineHelps) throw new StartupError(`There is no sandbox network in ${config.ATRIUM_ENV}.`)
    const server = serveSandbox({ at, port: config.PORT })
    say(`The sandbox network answers on ${server.url}`)
    await new Promise<void>((resolve) => process.once('SIGTERM', resolve).once('SIGINT', resolve))
    await server.stop()
  },
}

async function withDatabase(config: Config, act: (url: string) => Promise<void>): Promise<void> {
  const at = databaseAddress(config)
  if (at) return act(at.directUrl)
  const postgres = await joinOrStartPostgres({ dataDir: config.DATA_DIR, log: say })
  try {
    await act(postgres.url)
  } finally {
    await postgres.stop()
  }
}

try {
  const command = commands[process.argv[2] ?? '']
  if (!command) throw new StartupError(`Say what to do: bun src/cli.ts ${Object.keys(commands).join(' | ')}`)
  await command(readConfig(process.env), process.argv.slice(3))
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(error.exitCode)
}
