import type { Server } from './launch.ts'

/** How long a shutdown may take before it is forced (the next start then replays the log). Milliseconds. */
const patience = 5_000
/** Pause between attempts to start again. Milliseconds. */
const pause = 1_000

/** Keeps a server running until `stop`: one that ends by itself (killed, out of memory) is started again. */
export function keepRunning(
  first: Server,
  again: () => Promise<Server>,
  log: (message: string) => void,
): { stop(): Promise<void> } {
  let stopping = false
  let server: Server | undefined = first
  const watching = watch()

  async function watch(): Promise<void> {
    while (server) {
      await server.exited
      server = stopping ? undefined : await restart()
      if (stopping) server?.kill('SIGINT')
    }
  }

  async function restart(): Promise<Server | undefined> {
    log('PostgreSQL ended unexpectedly; it is started again')
    while (!stopping) {
      try {
        return await again()
      } catch (error) {
        log(error instanceof Error ? error.message : String(error))
        await Bun.sleep(pause)
      }
    }
    return undefined
  }

  async function stop(): Promise<void> {
    stopping = true
    server?.kill('SIGINT')
    const force = setTimeout(() => server?.kill('SIGQUIT'), patience)
    await watching
    clearTimeout(force)
  }

  return { stop }
}
