import type { Sql } from 'postgres'

interface ListenOptions {
  channel: string
  onMessage: (text: string) => void
  /** Called each time that the connection listens again: what came before can have been missed. */
  onListen: () => void
  /** Whether it hears what it should. */
  isHealthy: () => boolean
  /** Told when a connection can't be made to listen. */
  onFault: (error: unknown) => void
}

/** Milliseconds between looks at the listener. */
const checkIntervalMs = 1_000
/** Milliseconds that a new connection gets until it hears something. */
const graceMs = 4_000

/**
 * Listens until it is closed. postgres.js listens again by itself when its connection breaks, but gives up when the next
 * one breaks before it listens, and can't tell one that went silent: what stays unwell is replaced as a whole.
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
