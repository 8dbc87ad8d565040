import type { Server } from './launch.ts'

/** Time for a shutdown before it is forced. After a forced one, the next start replays the log. */
const stopMs = 5_000
const backoff = { firstMs: 250, maxMs: 5_000 }
const steadyMs = 30_000

export function keepRunning(
  first: Server,
  restartServer: () => Promise<Server>,
  log: (message: string) => void,
): { stop(): Promise<void> } {
  const stopping = Promise.withResolvers<void>()
  let isStopping = false
  let server: Server | undefined = first
  let failures = 0
  const watching = watch()

  async function watch(): Promise<void> {
    while (server) {
      const began = performance.now()
      await server.exited
      if (performance.now() - began > steadyMs) failures = 0
      server = isStopping ? undefined : await restart()
      if (isStopping) server?.kill('SIGINT')
    }
  }

  async function restart(): Promise<Server | undefined> {
    log('PostgreSQL stopped unexpectedly and is being restarted')
    while (!isStopping) {
      const pause = failures === 0 ? 0 : Math.min(backoff.firstMs * 2 ** (failures - 1), backoff.maxMs)
      failures += 1
      await Promise.race([Bun.sleep(pause), stopping.promise])
      if (isStopping) break
      try {
        return await restartServer()
      } catch (error) {
        log(error instanceof Error ? error.message : String(error))
      }
    }
    return undefined
  }

  async function stop(): Promise<void> {
    isStopping = true
    stopping.resolve()
    server?.kill('SIGINT')
    const force = setTimeout(() => server?.kill('SIGQUIT'), stopMs)
    await watching
    clearTimeout(force)
  }

  return { stop }
}
