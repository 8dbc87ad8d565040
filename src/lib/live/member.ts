import type { Actor } from '../actor.ts'
import type { ServerFrame } from './protocol.ts'

export interface Member {
  actor: Actor
  topics: Set<string>
  send(frame: ServerFrame): void
  recheck(): Promise<void>
}
