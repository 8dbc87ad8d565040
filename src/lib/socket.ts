import type { Permission } from './actor.ts'
import type { Call } from './call.ts'
import type { Connection, Wire } from './request/upgrade.ts'

export type { Connection } from './request/upgrade.ts'

export interface Peer extends Wire {
  /** Marks the client as authenticated by a message: the handshake no longer counts against its IP address. */
  authenticated(): void
}

export interface Socket {
  path: string
  summary: string
  permission: Permission
  open(peer: Peer, call: Call<null>): Connection
}

export const socket = (definition: Socket): Socket => definition
