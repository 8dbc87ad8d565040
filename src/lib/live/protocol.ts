import { z } from 'zod'

/** Topics that one client can follow. */
const mostTopics = 50

const Frame = z
  .strictObject({
    /** From `POST /api/live/token`; in the first message only. */
    token: z.string().max(8_192).optional(),
    /** Every topic that the client wants from now on; others end. */
    topics: z.array(z.string().max(100)).max(mostTopics).optional(),
    /** How many milliseconds ago the client read what it shows: what changed since then is told at once. */
    staleMs: z.number().nonnegative().optional(),
  })
  .refine(({ token, topics }) => token !== undefined || topics !== undefined)

/** What a client sends. */
export type ClientFrame = z.output<typeof Frame>

/** What the server sends. No message carries data: the client reads again what it shows. */
export type ServerFrame =
  | { type: 'ready' }
  /** The answer to `topics`: those that are followed, and those that don't exist or the caller can't read. */
  | { type: 'subscribed'; topics: string[]; refused: string[] }
  | { type: 'invalidate'; topics: string[] }
  /** The caller can no longer read these topics. */
  | { type: 'dropped'; topics: string[] }
  /** The server can have missed changes: read everything again. */
  | { type: 'resync' }
  /** Sent every 25 s: without it the connection is lost. */
  | { type: 'ping' }

/** The message of a client; null for one that is malformed. */
export function readFrame(text: string): ClientFrame | null {
  try {
    return Frame.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Codes with which the server closes a live channel, besides those of RFC 6455. */
export const closing = {
  badMessage: 4400,
  /** The token, or the credential behind it, is no longer valid. */
  unauthorized: 4401,
  /** No token came within 10 s. */
  tokenTimeout: 4408,
  /** Too many messages, or too many channels of one session or organization. */
  tooMany: 4429,
  /** Identity can't vouch for the caller at the moment: connect again later. */
  tryLater: 1013,
} as const
