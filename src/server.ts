import { createApp } from './app.tsx'
import { readConfig } from '#config'
import { openServer } from './boot.ts'
import { createLog } from '#lib/log.ts'
import { StartupError } from '#lib/startup-error.ts'

/** Starts the server; a failure that the operator can mend is told without a stack. */
async function main(): Promise<void> {
  try {
    const config = readConfig(process.env)
    const log = createLog(config.LOG_LEVEL)
    const server = await openServer(config, log, createApp)
    process.stdout.write(`${server.welcome}\n`)
    const stop = (signal: NodeJS.Signals) => {
      log.info('stopping', { signal })
      void server.stop().then(() => process.exit(0))
    }
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, stop)
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(error.exitCode)
  }
}

await main()
