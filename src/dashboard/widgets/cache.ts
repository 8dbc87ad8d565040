import type { WidgetPayload } from '#lib/widget.ts'

/** Milliseconds: how long a payload is shown without asking the app, and when the app fails. */
export const freshMs = 45_000
const staleMs = 5 * 60_000

export interface CachedWidget {
  payload: WidgetPayload
  /** Milliseconds of the clock. */
  fetchedAt: number
}

/** UTF-16 units of all payloads together. */
const maxSize = 16 * 1024 * 1024

export interface WidgetCache {
  get(key: string): CachedWidget | undefined
  set(key: string, widget: CachedWidget): void
  delete(key: string): void
}

/** The least recently stored go first when it is full. */
export function createWidgetCache(now: () => number, limit = maxSize): WidgetCache {
  const entries = new Map<string, CachedWidget & { size: number }>()
  let size = 0
  const remove = (key: string) => {
    size -= entries.get(key)?.size ?? 0
    entries.delete(key)
  }
  return {
    delete: remove,
    get: (key) => {
      const entry = entries.get(key)
      if (entry && entry.fetchedAt + staleMs > now()) return entry
      remove(key)
      return undefined
    },
    set: (key, widget) => {
      remove(key)
      const entry = { ...widget, size: key.length + JSON.stringify(widget.payload).length }
      entries.set(key, entry)
      size += entry.size
      for (const [oldest] of entries) {
        if (size <= limit) break
        remove(oldest)
      }
    },
  }
}
