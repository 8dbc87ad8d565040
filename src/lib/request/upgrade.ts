export interface Wire {
  send(message: object): void
  /** Closes the WebSocket with a code of RFC 6455 or from 4000 to 4999, and a reason of at most 123 bytes. */
  close(code: number, reason: string): void
}

export interface Connection {
  /** Called for each text message, in order; at most 16 KiB. */
  message(text: string): void
  close(): void
}

export type OpenSocket = (wire: Wire) => Connection

/** False when its handshake is malformed. @throws {Problem} 503 when too many are open */
export type Upgrade = (open: OpenSocket) => boolean
