/** Streams whose caller hung up, read on for the usage at their end. */
export interface Drains {
  /** `cut` is called when it takes too long, or too many others came after it. Returns what to call at its end. */
  add(cut: () => void): () => void
}

interface Bounds {
  /** At the same time; above that the oldest one is cut. */
  max: number
  maxMs: number
}

export function createDrains({ max, maxMs }: Bounds): Drains {
  /** The oldest first. */
  const running = new Map<() => void, ReturnType<typeof setTimeout>>()
  return {
    add: (cut) => {
      const forget = () => {
        clearTimeout(running.get(end))
        running.delete(end)
      }
      const end = () => {
        forget()
        cut()
      }
      running.set(end, setTimeout(end, maxMs))
      const [oldest] = running.keys()
      if (running.size > max) oldest?.()
      return forget
    },
  }
}
