import { digest } from '../ids.ts'
import type { Credential } from './dependencies.ts'

/** Credentials that this process verified recently, by their digests. */
export interface RecentCredentials {
  has(key: string): boolean
  add(key: string): void
  delete(key: string): void
}

/** Time since the last use. */
const lifetimeMs = 15 * 60_000
const maxCredentials = 20_000

export const keyOf = ({ authorization, cookie }: Credential): string => digest(authorization ?? cookie ?? '')

/** `now` returns milliseconds. */
export function createRecentCredentials(now: () => number = () => performance.now()): RecentCredentials {
  const until = new Map<string, number>()
  return {
    has: (name) => (until.get(name) ?? 0) > now(),
    add: (name) => {
      // Deleted first, so that it moves to the end: a Map keeps the order of insertion.
      until.delete(name)
      until.set(name, now() + lifetimeMs)
      const [oldest] = until.keys()
      if (until.size > maxCredentials && oldest !== undefined) until.delete(oldest)
    },
    delete: (name) => void until.delete(name),
  }
}
