export interface Slots {
  /** @throws `signal.reason` when that aborts first */
  take(signal: AbortSignal): Promise<() => void>
}

export function createSlots(count: number): Slots {
  let free = count
  const waiting: (() => void)[] = []
  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  /** Releasing a slot twice has no further effect. */
  const slot = () => {
    let isHeld = true
    return () => {
      if (isHeld) release()
      isHeld = false
    }
  }
  return {
    take: async (signal) => {
      signal.throwIfAborted()
      if (free > 0) {
        free -= 1
        return slot()
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const giveUp = () => {
        const at = waiting.indexOf(resolve)
        if (at === -1) return // It already has its slot.
        waiting.splice(at, 1)
        reject(signal.reason)
      }
      waiting.push(resolve)
      signal.addEventListener('abort', giveUp, { once: true })
      await promise
      signal.removeEventListener('abort', giveUp)
      return slot()
    },
  }
}
