import type { Permission } from './actor.ts'
import type { Call } from './call.ts'

/** A WebSocket, seen from the server. */
export interface Wire {
  /** Sends a message as JSON. */
  send(message: object): void
  /** Closes it with a code of RFC 6455 or of 4000–4999, and a reason of at most 123 bytes. */
  close(code: number, reason: string): void
}

/** The client at the other end of a WebSocket. */
export interface Peer extends Wire {
  /** Tells that the client proved who it is by a message: its address gets back what the handshake counted. */
  authenticated(): void
}

/** What a socket does with one client. */
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
