const windowMs = 10_000
const secondMs = 1_000

/** Measures how many bytes arrive, over the last 10 s. Times are milliseconds of one clock. */
export interface ByteRate {
  add(bytes: number, now: number): void
  /** Milliseconds since `begin`. */
  age(now: number): number
  /** Bytes per second, over the time since `begin` when that is shorter than 10 s. */
  perSecond(now: number): number
}

export function createByteRate(begin: number): ByteRate {
  /** Sums of one second each, oldest first: at most 11. */
  const sums: { at: number; bytes: number }[] = []
  const dropOld = (now: number) => {
    while (sums[0] && sums[0].at <= now - windowMs) sums.shift()
  }
  return {
    add: (bytes, now) => {
      dropOld(now)
      const last = sums.at(-1)
      if (last && now - last.at < secondMs) last.bytes += bytes
      else sums.push({ at: now, bytes })
    },
    age: (now) => now - begin,
    perSecond: (now) => {
      dropOld(now)
      const bytes = sums.reduce((sum, one) => sum + one.bytes, 0)
      return (bytes * secondMs) / Math.max(secondMs, Math.min(windowMs, now - begin))
    },
  }
}
