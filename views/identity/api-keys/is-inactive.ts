import type { ApiKey } from '#identity/types'

export function isInactive({ revokedAt, overlapEndsAt, expiresAt }: ApiKey, now: Date): boolean {
  const end = overlapEndsAt ?? expiresAt
  return revokedAt !== null || (end !== null && Date.parse(end) <= now.getTime())
}
