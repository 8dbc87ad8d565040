import type { Permission } from './actor.ts'
import type { Call } from './call.ts'

/** The server's end of a WebSocket. */
export interface Wire {
  /** Sends a message as JSON. */
  send(message: object): void
  /** Closes the WebSocket with a code of RFC 6455 or from 4000 to 4999, and a reason of at most 123 bytes. */
  close(code: number, reason: string): void
}

/** The client of a WebSocket. */
export interface Peer extends Wire {
  /** Marks the client as authenticated by a message: the handshake no longer counts against its IP address. */
  authenticated(): void
}

/** The handlers of one client's WebSocket. */
export interface Connection {
  /** Called for each text message, in order; at most 16 KiB. */
  message(text: string): void
  /** Called once, when the WebSocket is closed by either side. */
  close(): void
}

/** A WebSocket endpoint. The kernel checks Origin and permission before the upgrade. */
export interface Socket {
  path: string
  summary: string
  permission: Permission
  open(peer: Peer, call: Call<null>): Connection
}

/** Declares a WebSocket endpoint of a context. */
export const socket = (definition: Socket): Socket => definition
