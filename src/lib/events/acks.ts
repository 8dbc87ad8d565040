/** Notifications arrive in commit order, so a server that received its own message knows all that pinged before it. */
interface AckTracker {
  markAlive(server: string): void
  markGone(server: string): void
  recordAck(server: string, message: string): void
  /** Resolves when every live server has acknowledged, or knows that its connection is lost. */
  waitForAcks(message: string): Promise<void>
}

export function createAckTracker(self: string, timeoutMs: number): AckTracker {
  const lastSeen = new Map<string, number>()
  const ackedBy = new Map<string, Set<string>>()
  const waiting = new Map<string, () => void>()

  const livePeers = () => {
    const since = performance.now() - timeoutMs
    for (const [server, at] of lastSeen) if (at < since) lastSeen.delete(server)
    return [...lastSeen.keys()]
  }
  const allAcked = (message: string) => {
    const known = ackedBy.get(message)
    return known?.has(self) === true && livePeers().every((server) => known.has(server))
  }
  const check = () => {
    for (const [message, resolve] of waiting) if (allAcked(message)) resolve()
  }

  return {
    markAlive: (server) => void lastSeen.set(server, performance.now()),
    markGone: (server) => {
      lastSeen.delete(server)
      check()
    },
    recordAck: (server, message) => {
      // Only acknowledgements of this server's own messages are kept: others arrive here too.
      if (server === self) ackedBy.set(message, ackedBy.get(message) ?? new Set())
      ackedBy.get(message)?.add(server)
      check()
    },
    waitForAcks: async (message) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.set(message, resolve)
      const timer = setTimeout(resolve, timeoutMs)
      check()
      await promise
      clearTimeout(timer)
      waiting.delete(message)
      ackedBy.delete(message)
    },
  }
}
