import { run } from '../../boot/program.ts'
import { freshDatabase } from '../../support/database.ts'
import { serve, type Served } from '../../support/served.ts'
import { scaleTime } from '../../support/time-scale.ts'

/** Three servers on one database, and the practice provider as a process on a database of its own. */
export interface Servers {
  urls: readonly string[]
  providerUrl: string
  /** SIGKILL, then a new process at the same URL, which webhooks are sent to. */
  restart(at: number): Promise<void>
  stop(): Promise<void>
}

/** How long a response of the provider is waited for, also by all that wait for one that never comes. */
export const providerTimeoutMs = Math.min(scaleTime(1_500), 4_000)

const count = 3

export async function startServers(): Promise<Servers> {
  const [own, provided] = await Promise.all([freshDatabase(), freshDatabase()])
  const provider = run([process.execPath, 'src/cli.ts', 'payments'], {
    env: { ATRIUM_ENV: 'test', PORT: '0', DATABASE_URL: provided.url, LOG_LEVEL: 'warn' },
  })
  const [, providerUrl = ''] = await provider.until(/(http:\/\/[\w.]+:\d+)/)
  const ports = Array.from({ length: count }, freePort)
  const start = (port: number): Promise<Served> =>
    serve({
      databaseUrl: own.url,
      env: {
        PORT: String(port),
        PAYMENTS_URL: providerUrl,
        PAYMENTS_TIMEOUT_MS: String(providerTimeoutMs),
        PAYMENTS_SWEEP_S: Array.from({ length: 60 }, () => '2').join(','),
      },
    })
  const servers = [await start(ports[0] ?? 0)]
  servers.push(...(await Promise.all(ports.slice(1).map(start))))
  return {
    urls: servers.map(({ url }) => url),
    providerUrl,
    restart: async (at) => {
      servers[at]?.kill('SIGKILL')
      await servers[at]?.exited
      servers[at] = await start(ports[at] ?? 0)
    },
    stop: async () => {
      for (const program of [...servers, provider]) program.kill('SIGKILL')
      await Promise.all([...servers, provider].map(({ exited }) => exited))
      await Promise.all([own.drop(), provided.drop()])
    },
  }
}

function freePort(): number {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port = 0 } = probe
  void probe.stop(true)
  return port
}
