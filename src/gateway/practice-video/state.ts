import type { Database } from '#lib/db.ts'
import { createReceivedRequests, type ReceivedRequests } from './received.ts'
import { createRunningHashes, type RunningHashes } from './upload/running-hashes.ts'

export interface ProviderState {
  received: ReceivedRequests
  hashes: RunningHashes
}

const states = new WeakMap<Database, ProviderState>()

/** What one server remembers, known by its database: a test can have several servers in one process. */
export function stateOf(db: Database): ProviderState {
  const known = states.get(db)
  if (known) return known
  const state = { received: createReceivedRequests(), hashes: createRunningHashes() }
  states.set(db, state)
  return state
}
