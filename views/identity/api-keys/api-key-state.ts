import type { ApiKey } from '#identity/types'

/** What became of a key: `stopped` when who answers for it has left. */
export type KeyState = 'active' | 'ending' | 'replaced' | 'stopped' | 'revoked' | 'expired'

const soon = 7 * 24 * 60 * 60 * 1000

/** A key's state at an instant; `isVouched` when who answers for it is still a member. */
export function stateOf(key: ApiKey, isVouched: boolean, now: Date): KeyState {
  if (key.revokedAt) return 'revoked'
  const end = endOf(key)
  if (end !== null && end <= now.getTime()) return 'expired'
  if (!isVouched) return 'stopped'
  if (key.overlapEndsAt) return 'replaced'
  return end !== null && end - now.getTime() < soon ? 'ending' : 'active'
}

const endOf = ({ overlapEndsAt, expiresAt }: ApiKey): number | null => {
  const end = overlapEndsAt ?? expiresAt
  return end === null ? null : Date.parse(end)
}

/** Whether nothing can be done with the key any more. */
export const hasEnded = (state: KeyState): boolean => state === 'revoked' || state === 'expired'
