import type { Events } from '#lib/events.ts'
import type { Clock } from '#lib/time.ts'
import type { Validation } from '../contract.ts'
import { everyone, Revocation, revocationEvent } from './revocation.ts'

interface Entry {
  validation: Validation
  /** Milliseconds of the clock at which the entry expires. */
  until: number
}

/** By the digest of the credential (IDN-05). */
export interface ValidationCache {
  get(key: string): Validation | undefined
  /** Call it before the lookup. The function stores the result, unless something was revoked meanwhile. */
  fill(): (key: string, validation: Validation) => void
}

const maxEntries = 20_000
/** A bound even without revocations: a role's permissions change without an event. */
const maxAgeMs = 60_000
/** A local revocation has been committed after this time. */
const settlingMs = 5_000

/** It returns nothing while revocation events may be lost. */
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
  const dropEntries = (id: string) => {
    epoch += 1
    if (id === everyone) clear()
    for (const key of keysOf.get(id) ?? []) entries.delete(key)
    keysOf.delete(id)
    settlingUntil.set(id, now().getTime() + settlingMs)
    for (const [old, until] of settlingUntil) if (until < now().getTime()) settlingUntil.delete(old)
  }
  events.onGap(clear)
  events.subscribe(revocationEvent, Revocation, ({ id }) => dropEntries(id))

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

/** The ids whose revocation drops the entry. */
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
