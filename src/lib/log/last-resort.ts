import { logFault } from './fault.ts'
import { errorFacts, type Log } from '../log.ts'
import { databaseAway, isQueryOrDriverError } from '../postgres/faults.ts'

/** Errors of database connections are only logged, since the driver opens another one. */
export function handleUncaught(log: Log, stop: () => void): void {
  const handle = (error: unknown) => {
    if ((databaseAway(error) && isQueryOrDriverError(error)) || isDriverFault(error))
      return logFault(log, 'uncaught database fault', error)
    log.error('uncaught error, stopping the server', errorFacts(error))
    stop()
  }
  process.on('uncaughtException', handle)
  process.on('unhandledRejection', handle)
}

/** Thrown by postgres.js itself, outside any call of ours. */
const isDriverFault = (error: unknown): boolean =>
  error instanceof Error && /^[^\n]*\n\s+at [^\n]*\/node_modules\/postgres\/src\//.test(error.stack ?? '')
