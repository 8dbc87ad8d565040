import { readConfig } from '#config'
import { handleUncaught } from '#lib/log/last-resort.ts'
import { createLog, errorFacts } from '#lib/log.ts'
import { StartupError } from '#lib/startup-error.ts'
import { createApp } from './app.tsx'
import { openServer, type Server } from './boot.ts'

/** Null when `stop` was aborted. A failure ends the process. `fail` is called for uncaught errors. */
export async function serve(stop: AbortSignal, fail: () => void): Promise<Server | null> {
  try {
    const config = readConfig(process.env)
    const log = createLog(config.LOG_LEVEL)
    handleUncaught(log, fail)
    stop.addEventListener('abort', () => log.info('stopping', { signal: stop.reason }))
    const server = await openServer(config, log, createApp, stop)
    process.stdout.write(`${server.welcome}\n`)
    return server
  } catch (error) {
    if (stop.aborted) return null
    if (error instanceof StartupError) {
      process.stderr.write(`${error.message}\n`)
      return process.exit(error.exitCode)
    }
    createLog('error').error('the server couldn’t start', errorFacts(error))
    return process.exit(1)
  }
}
