import type { Events } from '#lib/events.ts'
import type { Clock } from '#lib/time.ts'
import type { Validation } from './contract.ts'
import { everyone, Revocation, revocationEvent } from './revocation.ts'

interface Entry {
  validation: Validation
  /** Milliseconds of the clock after which it counts no more. */
  until: number
}

/** Answers of `/validate` that still hold, by digests of what was shown (IDN-05). */
export interface ValidationCache {
  get(key: string): Validation | undefined
  /** Called before a question is asked; what it returns keeps the answer, unless something was revoked meanwhile. */
  fill(): (key: string, validation: Validation) => void
}

const maxEntries = 20_000
/** Milliseconds after which an answer is asked for again even so: roles' permissions change without an event. */
const maxAgeMs = 60_000
/** Milliseconds in which a revocation told here at once has been committed. */
const settlingMs = 5_000

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
    if (id === everyone) clear()
    for (const key of keysOf.get(id) ?? []) entries.delete(key)
    keysOf.delete(id)
    settlingUntil.set(id, now().getTime() + settlingMs)
    for (const [old, until] of settlingUntil) if (until < now().getTime()) settlingUntil.delete(old)
  }
  events.onGap(clear)
  events.subscribe(revocationEvent, Revocation, ({ id }) => forget(id))

  const isSettling = (id: string) => (settlingUntil.get(id) ?? 0) > now().getTime()

  return {
    get: (key) => {
      const entry = entries.get(key)
      return entry && entry.until > now().getTime() && events.healthy() ? entry.validation : undefined
    },
    fill: () => {
      const began = epoch
      return (key, validation) => {
        const ids = idsOf(validation)
        if (began !== epoch || !events.healthy() || [everyone, ...ids].some(isSettling)) return
        if (entries.size >= maxEntries) clear()
        for (const id of ids) keysOf.set(id, (keysOf.get(id) ?? new Set()).add(key))
        const end = validation.expiresAt?.getTime() ?? Infinity
        entries.set(key, { validation, until: Math.min(end, now().getTime() + maxAgeMs) })
      }
    },
  }
}

/** Whose end ends the answer: the session or key, its person, and the organization. */
function idsOf({ sessionId, apiKey, principal, organization, suspension, barred }: Validation): string[] {
  const ids = [
    sessionId,
    apiKey?.id,
    principal.id,
    organization?.id,
    suspension?.organizationId,
    barred?.organizationId,
  ]
  return ids.filter((id) => typeof id === 'string')
}
