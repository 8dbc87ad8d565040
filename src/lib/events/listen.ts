import type { Sql } from 'postgres'

interface Listening {
  channel: string
  hear: (text: string) => void
  /** Called each time that the connection listens anew: what came before may have been missed. */
  onListen: () => void
  /** Whether it hears what it should. */
  isWell: () => boolean
}

/** Milliseconds for which a listener may be unwell before it is replaced. */
const grace = 5_000

/**
 * Listens until it is closed. postgres.js listens again by itself when its connection breaks, but gives up for good when
 * that connection breaks before it listens: what stays unwell is replaced as a whole.
 * @throws when the first connection can't listen
 */
export async function listen(connect: () => Sql, listening: Listening): Promise<{ close(): Promise<void> }> {
  const { channel, hear, onListen, isWell } = listening
  let client = connect()
  await client.listen(channel, hear, onListen)
  const replace = async () => {
    if (isWell()) return
    const old = client
    client = connect()
    // Refused again: the next look finds it unwell again.
    await Promise.allSettled([old.end({ timeout: 0 }), client.listen(channel, hear, onListen)])
  }
  const watch = setInterval(replace, grace)
  watch.unref()
  return {
    close: async () => {
      clearInterval(watch)
      await client.end({ timeout: 0 })
    },
  }
}
