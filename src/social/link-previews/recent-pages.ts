interface Limits<Value> {
  keptMs: number
  most: number
  /** What isn’t kept is loaded again. */
  keeps(value: Value): boolean
}

/** Keeps what was loaded for a short time, since the same page is asked for while a person writes. */
export function createRecentPages<Value>({ keptMs, most, keeps }: Limits<Value>) {
  const known = new Map<string, { value: Value; until: number }>()
  return async (key: string, load: () => Promise<Value>): Promise<Value> => {
    const kept = known.get(key)
    if (kept && kept.until > performance.now()) return kept.value
    const value = await load()
    known.delete(key)
    if (!keeps(value)) return value
    known.set(key, { value, until: performance.now() + keptMs })
    const [oldest] = known.keys()
    if (known.size > most && oldest !== undefined) known.delete(oldest)
    return value
  }
}
