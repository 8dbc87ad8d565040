import type { Sql } from 'postgres'

interface ListenOptions {
  channel: string
  onMessage: (text: string) => void
  /** Called each time that the connection starts to listen: earlier events can have been missed. */
  onListen: () => void
  isHealthy: () => boolean
  onFault: (error: unknown) => void
}

const checkIntervalMs = 1_000
const graceMs = 4_000

/**
 * postgres.js misses a silent connection and gives up after two broken ones, so an unhealthy listener is replaced.
 * @throws when the first connection can't listen
 */
export async function listen(connect: () => Sql, listening: ListenOptions): Promise<{ close(): Promise<void> }> {
  const { channel, onMessage, onListen, isHealthy, onFault } = listening
  let client = connect()
  let since = performance.now()
  await client.listen(channel, onMessage, onListen).catch(async (error: unknown) => {
    await client.end({ timeout: 0 })
    throw error
  })
  const replace = () => {
    if (isHealthy() || performance.now() - since < graceMs) return
    since = performance.now()
    const old = client
    client = connect()
    void old.end({ timeout: 0 }).catch(onFault)
    client.listen(channel, onMessage, onListen).catch(onFault)
  }
  const watch = setInterval(replace, checkIntervalMs)
  watch.unref()
  return {
    close: async () => {
      clearInterval(watch)
      await client.end({ timeout: 0 })
    },
  }
}
