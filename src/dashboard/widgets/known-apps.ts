import { Problem, retryLater } from '#lib/errors.ts'
import type { WidgetApp } from '../grid/widget-apps.ts'

/** Milliseconds for which a list is used while identity can't be asked, as long as payloads are. */
const keptMs = 5 * 60_000
const maxLists = 10_000

export interface KnownApps {
  /** The list, or the one from before while identity is unavailable. @throws {Problem} 503 `identity_unavailable` */
  list(key: string, read: () => Promise<WidgetApp[]>): Promise<WidgetApp[]>
}

interface Options {
  now: () => number
  budgetMs: number
}

export function createKnownApps({ now, budgetMs }: Options): KnownApps {
  const lists = new Map<string, { apps: WidgetApp[]; readAt: number }>()
  const keep = (key: string, apps: WidgetApp[]) => {
    if (lists.size >= maxLists) lists.clear()
    lists.set(key, { apps, readAt: now() })
  }
  return {
    list: async (key, read) => {
      const before = lists.get(key)
      const known = before && before.readAt + keptMs > now() ? before.apps : undefined
      const reading = read().then((apps) => {
        keep(key, apps)
        return apps
      })
      // With a list, half of the time is left for the widgets.
      return withLimit(reading, known ? budgetMs / 2 : budgetMs).catch((error: unknown) => {
        if (known && error instanceof Problem && error.status === 503) return known
        throw error
      })
    },
  }
}

function withLimit<Result>(reading: Promise<Result>, ms: number): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(notListed()), ms)
  reading.catch(() => {}) // It can end after the limit.
  return Promise.race([reading, late.promise]).finally(() => clearTimeout(timer))
}

const notListed = () =>
  retryLater(503, 'identity_unavailable', 'Your apps can’t be listed right now. Try again in a few seconds.')
