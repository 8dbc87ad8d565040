import type { Database } from '#lib/db.ts'
import type { PracticeVideoBehavior, RequestKind } from './contract.ts'
import type { Cost } from './quota.ts'
import type { ProviderState } from './state.ts'
import type { Bearer, Scope } from './token.ts'

export interface Incoming {
  db: Database
  state: ProviderState
  request: Request
  query: URLSearchParams
  bearer: Bearer
  now(): Date
}

/** What remains to be done with a request that is valid. */
export type Perform = (behavior: PracticeVideoBehavior) => Promise<Response>

export interface VideoEndpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base address. */
  path: string
  scope: Scope
  /** Null for the chunks of an upload, whose start was charged. */
  cost: Cost | null
  kindOf(headers: Headers): RequestKind
  query: readonly string[]
  /** @throws {GoogleError} for an invalid request, which costs one unit */
  prepare(incoming: Incoming): Promise<Perform>
}
