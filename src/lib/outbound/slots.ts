export interface Slots {
  /** Waits for a free slot. @throws `signal.reason` when that aborts first */
  take(signal: AbortSignal): Promise<() => void>
  /**
   * Null when the tenant has as many slots as are free: one alone gets half of them, two a third each, and there is one
   * left for the next (dynamic thresholds, Choudhury and Hahne 1998).
   */
  takeShare(tenant: string): (() => void) | null
}

export function createSlots(count: number): Slots {
  let free = count
  const waiting: (() => void)[] = []
  const shares = new Map<string, number>()
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
    takeShare: (tenant) => {
      const held = shares.get(tenant) ?? 0
      if (held >= free) return null
      free -= 1
      shares.set(tenant, held + 1)
      const giveBack = slot()
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        const left = (shares.get(tenant) ?? 1) - 1
        if (left > 0) shares.set(tenant, left)
        else shares.delete(tenant)
        giveBack()
      }
    },
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
