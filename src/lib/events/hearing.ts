/**
 * Who has heard what. Notifications arrive in the order of commits, so who has heard its own message knows every server
 * that pinged before it.
 */
interface Hearing {
  /** A server pinged. */
  alive(server: string): void
  /** A server stops listening by its own will: it trusts nothing from then on. */
  gone(server: string): void
  /** A server heard the message of this name. */
  heard(server: string, message: string): void
  /**
   * Resolves when every living server has heard the message; at the latest when `patience` is over, after which a
   * server that didn't hear it knows that it is deaf. Asked when the message is committed.
   */
  everyone(message: string): Promise<void>
}

/** What this server, `self`, knows of the others; `patience` in milliseconds. */
export function createHearing(self: string, patience: number): Hearing {
  const lastSign = new Map<string, number>()
  const hearers = new Map<string, Set<string>>()
  const asked = new Map<string, () => void>()

  const living = () => {
    const since = performance.now() - patience
    for (const [server, at] of lastSign) if (at < since) lastSign.delete(server)
    return [...lastSign.keys()]
  }
  const isHeard = (message: string) => {
    const known = hearers.get(message)
    return known?.has(self) === true && living().every((server) => known.has(server))
  }
  const check = () => {
    for (const [message, resolve] of asked) if (isHeard(message)) resolve()
  }

  return {
    alive: (server) => void lastSign.set(server, performance.now()),
    gone: (server) => {
      lastSign.delete(server)
      check()
    },
    heard: (server, message) => {
      // Only acknowledgements of this server's own messages are kept: others arrive here too.
      if (server === self) hearers.set(message, hearers.get(message) ?? new Set())
      hearers.get(message)?.add(server)
      check()
    },
    everyone: async (message) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      asked.set(message, resolve)
      const timer = setTimeout(resolve, patience)
      check()
      await promise
      clearTimeout(timer)
      asked.delete(message)
      hearers.delete(message)
    },
  }
}
