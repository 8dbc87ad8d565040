/** The same decisions for the same seed, although requests of several histories overlap differently. */
export interface Chance {
  /** From 0 to `most`. */
  upTo(most: number): number
  happens(probability: number): boolean
  pick<Item>(from: readonly Item[]): Item
}

/** Mulberry32. */
export function chanceOf(seed: number): Chance {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const upTo = (most: number): number => Math.floor(next() * (most + 1))
  return {
    upTo,
    happens: (probability) => next() < probability,
    pick: (from) => {
      const item = from[upTo(from.length - 1)]
      if (item === undefined) throw new Error('There is nothing to pick from')
      return item
    },
  }
}
