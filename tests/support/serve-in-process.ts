import { readConfig, type Config } from '#config'
import { createLog } from '#lib/log.ts'
import { createApp } from '../../src/app.tsx'
import { openServer, type Server } from '../../src/boot.ts'
import { environmentOf } from './served.ts'

export type { Server }

/**
 * Starts a server on a database in this process with a real listener: for tests that neither kill it nor start a second
 * one. A separate process takes another second of processor time to load and compile the server.
 */
export const serveInProcess = ({ config = {}, ...options }: Options): Promise<Server> =>
  openServer({ ...readConfig(environmentOf(options)), ...config }, createLog('silent'), createApp)

type Options = Parameters<typeof environmentOf>[0] & {
  /** Settings that the environment can’t have together, such as staging with counterparts on loopback. */
  config?: Partial<Config>
}
