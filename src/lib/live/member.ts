import type { Actor } from '../actor.ts'
import type { ServerFrame } from './protocol.ts'

export interface Member {
  actor: Actor
  topics: Set<string>
  send(frame: ServerFrame): void
  /** Authenticates the caller again and drops topics that they can no longer read. Never rejects. */
  recheck(): Promise<void>
}
