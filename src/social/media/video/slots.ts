interface Slots {
  /** Runs `work` once fewer than `most` others run, in the order of the calls. */
  take<Result>(most: number, work: () => Promise<Result>): Promise<Result>
}

export function createSlots(): Slots {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    take: async (most, work) => {
      if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
      else running += 1
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
