import { z } from 'zod'

const maxTopics = 50

const Frame = z
  .strictObject({
    /** From `POST /api/live/token`. In the first message only. */
    token: z.string().max(8_192).optional(),
    topics: z.array(z.string().max(100)).max(maxTopics).optional(),
    /** Age in milliseconds of the data that the client shows. Later changes of added topics are reported immediately. */
    staleMs: z.number().nonnegative().optional(),
  })
  .refine(({ token, topics }) => token !== undefined || topics !== undefined)

export type ClientFrame = z.output<typeof Frame>

export type ServerFrame =
  | { type: 'ready' }
  /** The response to `topics`: the followed topics, and those that don't exist or the caller can't read. */
  | { type: 'subscribed'; topics: string[]; refused: string[] }
  | { type: 'invalidate'; topics: string[] }
  | { type: 'dropped'; topics: string[] }
  /** The server may have missed changes: read everything again. */
  | { type: 'resync' }
  /** Sent every 25 s. Without it the connection is lost. */
  | { type: 'ping' }

export function readFrame(text: string): ClientFrame | null {
  try {
    return Frame.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

export const closeCodes = {
  badMessage: 4400,
  unauthorized: 4401,
  tokenTimeout: 4408,
  tooMany: 4429,
  tryLater: 1013,
} as const
