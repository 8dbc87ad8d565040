import { readConfig } from '#config'
import { handleUncaught } from '#lib/last-resort.ts'
import { createLog } from '#lib/log.ts'
import { StartupError } from '#lib/startup-error.ts'
import { createApp } from './app.tsx'
import { openServer, type Server } from './boot.ts'

/**
 * Starts the server; null when `stop` was asked for meanwhile. A failure that the operator can fix ends the process
 * without a stack. `fail` is called for an error that nothing caught.
 */
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
    if (!(error instanceof StartupError)) throw error
    process.stderr.write(`${error.message}\n`)
    return process.exit(error.exitCode)
  }
}
