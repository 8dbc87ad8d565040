/** Failures in a row after which an app isn't asked for a while, and how long, in milliseconds. */
const maxFailures = 5
const openMs = 10_000

interface Circuit {
  failures: number
  openUntil: number
}

export interface AppBreakers {
  canCall(app: string): boolean
  report(app: string, succeeded: boolean): void
}

/** An app that fails for everyone must not cost each viewer its timeout. In memory, for each server. */
export function createAppBreakers(now: () => number): AppBreakers {
  const circuits = new Map<string, Circuit>()
  return {
    canCall: (app) => {
      const circuit = circuits.get(app)
      if (!circuit || circuit.failures < maxFailures) return true
      if (circuit.openUntil > now()) return false
      // The others wait for the outcome of this call.
      circuit.openUntil = now() + openMs
      return true
    },
    report: (app, succeeded) => {
      const failures = (circuits.get(app)?.failures ?? 0) + 1
      if (succeeded) circuits.delete(app)
      else circuits.set(app, { failures, openUntil: now() + openMs })
    },
  }
}
