import { errorFacts, type Log } from '../log.ts'
import { databaseAway, describeFault } from '../postgres/faults.ts'

type ErrorLog = Pick<Log, 'error'>

/** Milliseconds for which a fault that comes again is only counted. */
const quietMs = 30_000

const maxLines = 10

/** Characters of a kind that are remembered: messages can contain what a provider said. */
const maxKind = 1_000

interface Seen {
  since: number
  lines: number
  repeats: number
}

const seenBy = new WeakMap<ErrorLog, Map<string, Seen>>()

/**
 * At most 10 lines of one kind in 30 s, then one with the number of repeats. All faults of an unreachable database are
 * one kind, logged once without a stack.
 */
export function logFault(log: ErrorLog, message: string, error: unknown, facts: Record<string, unknown> = {}): void {
  const away = databaseAway(error)
  const details = away ? { error: describeFault(error) } : errorFacts(error)
  const seen = seenBy.get(log) ?? new Map<string, Seen>()
  seenBy.set(log, seen)
  const { request: _, ...lasting } = facts
  const kind = away ? message : JSON.stringify([message, details['error'], lasting]).slice(0, maxKind)
  const now = performance.now()
  const last = seen.get(kind)
  const isRecent = last !== undefined && now - last.since < quietMs
  if (isRecent && (away || last.lines >= maxLines)) return void last.repeats++
  if (isRecent) last.lines++
  else startKind(seen, kind, now)
  const repeats = !isRecent && last ? last.repeats : 0
  log.error(message, { ...facts, ...details, ...(repeats > 0 && { repeats }) })
}

function startKind(seen: Map<string, Seen>, kind: string, now: number): void {
  seen.delete(kind)
  for (const [other, { since }] of seen) {
    if (now - since <= 2 * quietMs) break
    seen.delete(other)
  }
  seen.set(kind, { since: now, lines: 1, repeats: 0 })
}
