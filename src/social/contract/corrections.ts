import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'

/** A change of the text of a published post on its network. */
export const PostCorrection = z.object({
  id: Id,
  postId: Id,
  authorId: Id,
  authorName: z.string().nullable(),
  formerText: z.string(),
  text: z.string(),
  reason: z.string().nullable(),
  state: z
    .enum(['sending', 'corrected', 'failed', 'unknown'])
    .describe('`unknown`: we couldn’t confirm it. Look at the post, and send the correction again if it is missing.'),
  failureCode: z.string().nullable(),
  failureMessage: z.string().nullable(),
  createdAt: Timestamp,
  settledAt: Timestamp.nullable(),
})
export type PostCorrection = z.output<typeof PostCorrection>
