const maxCached = 10_000

/** Loads a value at most once in `ttlMs`, for all its callers. A failed load is repeated by the next caller. */
export function createRecent<Value>(ttlMs: number, load: (key: string) => Promise<Value>) {
  const known = new Map<string, { value: Promise<Value>; until: number }>()
  return (key: string): Promise<Value> => {
    const entry = known.get(key)
    if (entry && entry.until > performance.now()) return entry.value
    const value = load(key)
    if (known.size > maxCached) known.clear()
    known.set(key, { value, until: performance.now() + ttlMs })
    value.catch(() => known.delete(key))
    return value
  }
}
