import { databaseAddress, readConfig, type Config } from '#config'
import { StartupError } from '#lib/startup-error.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Each loads only its own code: loading everything takes 0.5 s. */
const commands: Record<string, (config: Config, words: string[]) => Promise<void>> = {
  async setup(config) {
    const { migrate } = await import('#lib/db/migrate.ts')
    await withDatabase(config, migrate)
    say('The database is ready. Start the server with: bun run start')
  },
  /** `admin:create <email>` */
  async 'admin:create'(config, words) {
    const { createAdmin } = await import('./commands/admin-create.ts')
    await withDatabase(config, (url) => createAdmin(config, url, say, words, new Date()))
  },
  /** `service:key <slug>` */
  async 'service:key'(config, words) {
    const { createServiceKey } = await import('./commands/service-key.ts')
    await withDatabase(config, (url) => createServiceKey(url, say, words, new Date()))
  },
  /** Beside running servers. */
  async 'secrets:rotate'(config) {
    const { rotate } = await import('./commands/secrets-rotate.ts')
    await withDatabase(config, (url) => rotate(config, url, say))
  },
  /** Beside running servers, such as after a leak: tokens of the old keys are refused. */
  async 'keys:rotate'(config) {
    const { rotateKeys } = await import('./commands/keys-rotate.ts')
    await withDatabase(config, (url) => rotateKeys(config, url, say))
  },
  /** `backup [file]` */
  async backup(config, words) {
    const { backUp } = await import('./commands/backup.ts')
    await withDatabase(config, (url) => backUp(config, url, say, words, new Date()))
  },
  /** `restore <file> [--replace] [--hold] [--unsigned]` */
  async restore(config, words) {
    const { putBack } = await import('./commands/backup.ts')
    await withDatabase(config, (url) => putBack(config, url, say, words))
  },
  /** `openapi [file]`, by default to standard output. */
  async openapi(config, [path]) {
    const [{ describeApi }, { chosenContexts }] = await Promise.all([import('#platform'), import('./contexts.ts')])
    const text = JSON.stringify(describeApi(chosenContexts(config), config), null, 2)
    if (!path) return say(text)
    await Bun.write(path, `${text}\n`)
    say(`Wrote the API description to ${path}`)
  },
  /** Through the running server, if there is one. */
  async seed(config) {
    const { seed } = await import('./commands/seed.ts')
    await seed(config, say, new Date())
  },
  /** The sandbox network in a process of its own, on DATABASE_URL and PORT. */
  async sandbox(config) {
    const at = databaseAddress(config)
    if (!at) throw new StartupError('The sandbox network requires DATABASE_URL, the database that it uses.')
    if (!config.offlineHelps)
      throw new StartupError(`The sandbox network isn’t available with ATRIUM_ENV=${config.ATRIUM_ENV}.`)
    const { serveSandbox } = await import('./social/sandbox/server.ts')
    const server = serveSandbox({ at, port: config.PORT })
    say(`The sandbox network is running at ${server.url}`)
    await new Promise<void>((resolve) => process.once('SIGTERM', resolve).once('SIGINT', resolve))
    await server.stop()
  },
  /** The practice models in a process of their own, on PORT. Their behavior is in its memory. */
  async models(config) {
    if (!config.offlineHelps)
      throw new StartupError(`The practice models aren’t available with ATRIUM_ENV=${config.ATRIUM_ENV}.`)
    const { serveModels } = await import('./gateway/practice-models/server.ts')
    const server = serveModels({ port: config.PORT })
    say(`The practice models are running at ${server.url}`)
    await new Promise<void>((resolve) => process.once('SIGTERM', resolve).once('SIGINT', resolve))
    await server.stop()
  },
  /** The practice video provider in a process of its own, on DATABASE_URL and PORT. */
  async video(config) {
    const at = databaseAddress(config)
    if (!at) throw new StartupError('The practice video provider requires DATABASE_URL, the database that it uses.')
    if (!config.offlineHelps)
      throw new StartupError(`The practice video provider isn’t available with ATRIUM_ENV=${config.ATRIUM_ENV}.`)
    const { serveVideo } = await import('./gateway/practice-video/server.ts')
    const server = serveVideo({ at, port: config.PORT })
    say(`The practice video provider is running at ${server.url}`)
    await new Promise<void>((resolve) => process.once('SIGTERM', resolve).once('SIGINT', resolve))
    await server.stop()
  },
  /** The practice payments at `/v1` of PORT, for Stripe's clients. Servers of the same database share them. */
  async payments(config) {
    if (!config.offlineHelps)
      throw new StartupError(`The practice payments aren’t available with ATRIUM_ENV=${config.ATRIUM_ENV}.`)
    const { servePayments } = await import('./gateway/practice-payments/server.ts')
    await withDatabase(config, async (url) => {
      const fail = (error: unknown) => void process.stderr.write(`${String(error)}\n`)
      const server = servePayments({ at: databaseAddress(config) ?? url, port: config.PORT, fail })
      say(`The practice payments are running at ${server.url}`)
      await new Promise<void>((resolve) => process.once('SIGTERM', resolve).once('SIGINT', resolve))
      await server.stop()
    })
  },
}

async function withDatabase(config: Config, act: (url: string) => Promise<void>): Promise<void> {
  const at = databaseAddress(config)
  if (at) return act(at.directUrl)
  const { joinOrStartPostgres } = await import('#lib/embedded-postgres.ts')
  const postgres = await joinOrStartPostgres({ dataDir: config.DATA_DIR, log: say })
  try {
    await act(postgres.url)
  } finally {
    await postgres.stop()
  }
}

try {
  const command = commands[process.argv[2] ?? '']
  if (!command) throw new StartupError(`Usage: bun src/cli.ts ${Object.keys(commands).join(' | ')}`)
  await command(readConfig(process.env), process.argv.slice(3))
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(error.exitCode)
}
