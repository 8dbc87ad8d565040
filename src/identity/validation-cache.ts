import type { Actor } from '#lib/actor.ts'
import type { Events } from '#lib/events.ts'
import { Revocation, revocations } from './revocation.ts'
import type { Clock } from '#lib/time.ts'

interface Entry {
  actor: Actor
  /** Milliseconds of the clock after which it counts no more. */
  until: number
}

/** What was validated, and when it ends. */
interface Known {
  actor: Actor
  expiresAt: Date | null
}

/** Answers of `/validate` that still hold, by digests of their credentials (IDN-05). */
export interface ValidationCache {
  get(key: string): Actor | undefined
  /** Called before a question is asked; what it returns keeps the answer, unless something was revoked meanwhile. */
  fill(): (key: string, known: Known) => void
}

const mostEntries = 20_000
/** Milliseconds after which an answer is asked for again even so: roles' permissions change without an event. */
const longestLife = 60_000
/** Milliseconds in which a revocation told here at once has been committed. */
const settling = 5_000

/** A cache that revocations reach by events; while they may not reach it, it answers nothing. */
export function createValidationCache(events: Events, now: Clock): ValidationCache {
  const entries = new Map<string, Entry>()
  const keysOf = new Map<string, Set<string>>()
  const settlingUntil = new Map<string, number>()
  let epoch = 0

  const clear = () => {
    epoch += 1
    entries.clear()
    keysOf.clear()
  }
  const forget = (id: string) => {
    epoch += 1
    for (const key of keysOf.get(id) ?? []) entries.delete(key)
    keysOf.delete(id)
    settlingUntil.set(id, now().getTime() + settling)
    for (const [old, until] of settlingUntil) if (until < now().getTime()) settlingUntil.delete(old)
  }
  events.onGap(clear)
  events.subscribe(revocations, Revocation, ({ id }) => forget(id))

  const isSettling = (id: string) => (settlingUntil.get(id) ?? 0) > now().getTime()

  return {
    get: (key) => {
      const entry = entries.get(key)
      return entry && entry.until > now().getTime() && events.healthy() ? entry.actor : undefined
    },
    fill: () => {
      const began = epoch
      return (key, { actor, expiresAt }) => {
        const organizationId = actor.organization?.id ?? actor.suspension?.organizationId
        const ids = [actor.credential.id, actor.principal.id, organizationId].filter((id) => typeof id === 'string')
        if (began !== epoch || !events.healthy() || ids.some(isSettling)) return
        if (entries.size >= mostEntries) clear()
        for (const id of ids) keysOf.set(id, (keysOf.get(id) ?? new Set()).add(key))
        entries.set(key, { actor, until: Math.min(expiresAt?.getTime() ?? Infinity, now().getTime() + longestLife) })
      }
    },
  }
}
