import type { ApiKeyRow, LeastPrivilege } from '../contract.ts'
import { expiryOf } from './rows.ts'

const unusedForDays = 30
const day = 24 * 60 * 60 * 1000

/** Those not used for 30 days; null when there are none or the key is inactive. */
export function leastPrivilege(key: ApiKeyRow, now: Date): LeastPrivilege | null {
  const end = expiryOf(key)
  if (key.revokedAt ?? key.overlapEndsAt ?? (end && end <= now)) return null
  const before = now.getTime() - unusedForDays * day
  const removable = key.scopeUse
    .filter(({ lastUsedAt, watchedSince }) => (lastUsedAt ?? watchedSince).getTime() < before)
    .map(({ scope }) => scope)
  if (removable.length === 0) return null
  return { removable, unusedForDays, act: removable.length < key.scopes.length ? 'rotate' : 'revoke' }
}
