import { createApp } from './app.tsx'
import { readConfig } from '#config'
import { openServer } from './boot.ts'
import { createLog } from '#lib/log.ts'
import { StartupError } from '#lib/startup-error.ts'

/** Milliseconds after which a stop is over, whatever still hangs: the next start takes care of it (PLT-32). */
const longestStop = 9_500

/** Starts the server; a failure that the operator can mend is told without a stack. */
async function main(): Promise<void> {
  try {
    const config = readConfig(process.env)
    const log = createLog(config.LOG_LEVEL)
    const server = await openServer(config, log, createApp)
    process.stdout.write(`${server.welcome}\n`)
    let stopping = false
    const stop = (signal: NodeJS.Signals) => {
      // Ctrl-C reaches this process from the terminal and from `bun run`: the second must not cut the first short.
      if (stopping) return
      stopping = true
      log.info('stopping', { signal })
      void Promise.race([server.stop(), Bun.sleep(longestStop)]).then(() => process.exit(0))
    }
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(error.exitCode)
  }
}

await main()
