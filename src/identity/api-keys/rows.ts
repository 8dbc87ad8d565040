import type { Binding } from '#lib/actor.ts'

interface Expiry {
  expiresAt: Date | null
  overlapEndsAt: Date | null
}

/** When a key ends by itself; null for never. A replaced key ends with its overlap, which never outlasts it. */
export const expiryOf = ({ expiresAt, overlapEndsAt }: Expiry): Date | null => overlapEndsAt ?? expiresAt

/** A binding as the statements give it: `brand:<id>`. */
export function bindingOf(text: string): Binding {
  const at = text.indexOf(':')
  return { kind: text.slice(0, at), id: text.slice(at + 1) }
}

/** A scope and its use as the statements give them: `posts.read <watched since> <last used>`, in milliseconds. */
export function scopeUseOf(text: string): { scope: string; watchedSince: Date; lastUsedAt: Date | null } {
  const [scope = '', watched, used] = text.split(' ')
  return { scope, watchedSince: new Date(Number(watched)), lastUsedAt: used ? new Date(Number(used)) : null }
}
