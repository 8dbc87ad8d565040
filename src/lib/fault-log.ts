import { errorFacts, type Log } from './log.ts'
import { databaseAway, describeFault } from './postgres/faults.ts'

type Lines = Pick<Log, 'error'>

/** Milliseconds for which a fault that comes again is only counted. */
const quietMs = 30_000

interface Seen {
  at: number
  repeats: number
}

const seenBy = new WeakMap<Lines, Map<string, Seen>>()

/**
 * Logs a fault that can come again and again: at once, then at most one line in 30 s, with how often it came
 * meanwhile. Faults of one message and of the same facts are one kind; so are all of a database that is away, which
 * are told in a line without a stack.
 */
export function logFault(log: Lines, message: string, error: unknown, facts: Record<string, unknown> = {}): void {
  const away = databaseAway(error)
  const told = away ? { error: describeFault(error) } : errorFacts(error)
  const seen = seenBy.get(log) ?? new Map<string, Seen>()
  seenBy.set(log, seen)
  const kind = away ? message : JSON.stringify([message, told['error'], facts])
  const now = performance.now()
  const last = seen.get(kind)
  if (last && now - last.at < quietMs) return void last.repeats++
  for (const [other, { at }] of seen) if (now - at > 2 * quietMs) seen.delete(other)
  seen.set(kind, { at: now, repeats: 0 })
  log.error(message, { ...facts, ...told, ...(last && last.repeats > 0 && { repeats: last.repeats }) })
}
