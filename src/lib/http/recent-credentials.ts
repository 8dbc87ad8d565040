import { digest } from '../ids.ts'
import type { Credential } from './parts.ts'

/** Credentials that this process recognized lately, by their digests. */
export interface RecentCredentials {
  has(name: string): boolean
  add(name: string): void
  delete(name: string): void
}

/** Milliseconds after its last use for which a credential is known. */
const life = 15 * 60_000
const most = 20_000

/** What a credential is known by. */
export const nameOf = ({ authorization, cookie }: Credential): string => digest(authorization ?? cookie ?? '')

/** Without any yet; `now` is in milliseconds. */
export function createRecentCredentials(now: () => number = () => performance.now()): RecentCredentials {
  const until = new Map<string, number>()
  return {
    has: (name) => (until.get(name) ?? 0) > now(),
    add: (name) => {
      // The oldest stand first.
      until.delete(name)
      until.set(name, now() + life)
      const [oldest] = until.keys()
      if (until.size > most && oldest !== undefined) until.delete(oldest)
    },
    delete: (name) => void until.delete(name),
  }
}
