import { readConfig } from '#config'
import { createLog } from '#lib/log.ts'
import { createApp } from '../../src/app.tsx'
import { openServer, type Server } from '../../src/boot.ts'
import { environmentOf } from './served.ts'

export type { Server }

/**
 * Starts a server on a database in this process with a real listener: for tests that neither kill it nor start a second
 * one. A separate process takes another second of processor time to load and compile the server.
 */
export const serveInProcess = (options: Parameters<typeof environmentOf>[0]): Promise<Server> =>
  openServer(readConfig(environmentOf(options)), createLog('silent'), createApp)
