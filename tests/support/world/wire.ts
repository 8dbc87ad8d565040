import { readConfig } from '#config'
import type { Context } from '#lib/context.ts'
import { createLog, type Log } from '#lib/log.ts'
import { createSecrets } from '#lib/secrets.ts'
import { createApp } from '../../../src/app.tsx'
import { wire } from '../../../src/boot.ts'
import { longTimeouts } from '../served.ts'

interface WireOptions {
  /** Of a migrated database. */
  url: string
  /** The folder of its files. */
  home: string
  undo: (() => Promise<unknown> | void)[]
  env?: Record<string, string>
  log?: Log
}

const key = new Uint8Array(32).fill(7)

/** Wires a server of the test environment in this process, without a listener. */
export async function wireServer({ url, home, undo, env = {}, log = createLog('silent') }: WireOptions) {
  const config = readConfig({
    ATRIUM_ENV: 'test',
    // Nothing listens there, so that no test uses the network.
    DNS_RESOLVER: '127.0.0.1:1',
    DATA_DIR: home,
    DATABASE_URL: url,
    UPSTREAM_GITHUB_CLIENT_ID: 'atrium',
    UPSTREAM_GITHUB_CLIENT_SECRET: 'unused secret',
    ...longTimeouts,
    ...env,
  })
  const secrets = createSecrets(key)
  let contexts: readonly Context[] = []
  const app: typeof createApp = (parts) => {
    contexts = parts.contexts
    return createApp(parts)
  }
  const { database, provided, handle } = await wire({ config, log, app, secrets, at: url, undo })
  return { config, secrets, database, provided, handle, contexts }
}
