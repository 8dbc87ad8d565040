import type { Binding } from '#lib/actor.ts'

interface Expiry {
  expiresAt: Date | null
  overlapEndsAt: Date | null
}

/** Null without expiry. A replaced key expires with its overlap, which is never later than `expiresAt`. */
export const expiryOf = ({ expiresAt, overlapEndsAt }: Expiry): Date | null => overlapEndsAt ?? expiresAt

/** Parses `brand:<id>`. */
export function bindingOf(text: string): Binding {
  const at = text.indexOf(':')
  return { kind: text.slice(0, at), id: text.slice(at + 1) }
}

/** Parses `posts.read <watched since> <last used>`, with times in milliseconds. */
export function scopeUseOf(text: string): { scope: string; watchedSince: Date; lastUsedAt: Date | null } {
  const [scope = '', watched, used] = text.split(' ')
  return { scope, watchedSince: new Date(Number(watched)), lastUsedAt: used ? new Date(Number(used)) : null }
}
