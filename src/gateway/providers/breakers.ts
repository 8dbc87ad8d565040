import type { Clock } from '#lib/time.ts'

interface Circuit {
  failures: number
  /** Milliseconds of the clock; 0 while closed. */
  openedAt: number
  /** Milliseconds of the clock until which no call is made; 0 while closed. */
  openUntil: number
  /** A call is in progress that decides whether the circuit closes. */
  isProbing: boolean
  /** The provider asked for a pause until then. */
  limitedUntil: number
}

type Admission = { canCall: true } | { canCall: false; limited: boolean; retryAfterMs: number }

/** Circuit breakers per credential and model (GTW-12). In memory: each server finds out for itself. */
export interface Breakers {
  admit(key: string): Admission
  succeed(key: string): void
  fail(key: string): void
  /** Of a call that wasn’t made. */
  abandon(key: string): void
  /** For a 429: not a failure of the provider, but pointless to call before. */
  limit(key: string, retryAfterMs: number): void
  stateOf(key: string): CircuitState
}

interface CircuitState {
  /** `probing`: one call is let through, and decides. `limited`: the provider asked for a pause. */
  state: 'closed' | 'open' | 'probing' | 'limited'
  /** In a row. */
  failures: number
  /** Null while closed. */
  openedAt: Date | null
  /** When the next call is let through; null when one can be made now. */
  nextCallAt: Date | null
}

/** Names the circuit of a credential and model. */
export const circuitKey = ({ id, level }: { id: string | null; level: string }, model: string): string =>
  `${id ?? level} ${model}`

const maxFailures = 5
const openMs = 10_000
const maxLimitedMs = 60_000
const maxCircuits = 10_000

const closed = { failures: 0, openedAt: 0, openUntil: 0, limitedUntil: 0 }

function stateAt(at: number, { openUntil, limitedUntil }: Pick<Circuit, 'openUntil' | 'limitedUntil'>) {
  if (openUntil > at) return 'open'
  if (limitedUntil > at) return 'limited'
  return openUntil > 0 ? 'probing' : 'closed'
}

export function createBreakers(now: Clock): Breakers {
  const circuits = new Map<string, Circuit>()
  const circuitOf = (key: string): Circuit => {
    const known = circuits.get(key)
    if (known) return known
    if (circuits.size >= maxCircuits) circuits.clear()
    const circuit = { failures: 0, openedAt: 0, openUntil: 0, isProbing: false, limitedUntil: 0 }
    circuits.set(key, circuit)
    return circuit
  }
  return {
    admit: (key) => {
      const circuit = circuits.get(key)
      if (!circuit) return { canCall: true }
      const at = now().getTime()
      if (circuit.limitedUntil > at) return { canCall: false, limited: true, retryAfterMs: circuit.limitedUntil - at }
      if (circuit.openUntil === 0) return { canCall: true }
      if (circuit.openUntil > at || circuit.isProbing)
        return { canCall: false, limited: false, retryAfterMs: Math.max(circuit.openUntil - at, 1_000) }
      circuit.isProbing = true
      return { canCall: true }
    },
    succeed: (key) => void circuits.delete(key),
    fail: (key) => {
      const circuit = circuitOf(key)
      circuit.failures += 1
      circuit.isProbing = false
      if (circuit.failures < maxFailures) return
      const at = now().getTime()
      if (circuit.openUntil === 0) circuit.openedAt = at
      circuit.openUntil = at + openMs
    },
    abandon: (key) => {
      const circuit = circuits.get(key)
      if (circuit) circuit.isProbing = false
    },
    limit: (key, retryAfterMs) => {
      const circuit = circuitOf(key)
      circuit.isProbing = false
      circuit.limitedUntil = now().getTime() + Math.min(retryAfterMs, maxLimitedMs)
    },
    stateOf: (key) => {
      const { failures, openedAt, openUntil, limitedUntil } = circuits.get(key) ?? closed
      const at = now().getTime()
      const nextCall = Math.max(openUntil, limitedUntil)
      return {
        state: stateAt(at, { openUntil, limitedUntil }),
        failures,
        openedAt: openUntil > 0 ? new Date(openedAt) : null,
        nextCallAt: nextCall > at ? new Date(nextCall) : null,
      }
    },
  }
}
