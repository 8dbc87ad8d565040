import { z } from 'zod'
import { listOf } from '#lib/paginate.ts'

/** Those that aren’t `published` are shown to the owner of the channel alone. */
export const CommentModeration = z.enum(['published', 'heldForReview', 'likelySpam'])
export type CommentModeration = z.output<typeof CommentModeration>

export const VideoComment = z.object({
  id: z.string(),
  url: z.string(),
  text: z.string().describe('As the user wrote it; of other people’s comments as YouTube shows it.'),
  channelId: z.string().nullable().describe('Who wrote it. Null when YouTube doesn’t say.'),
  publishedAt: z.string(),
})
export type VideoComment = z.output<typeof VideoComment>

export const VideoCommentList = listOf(VideoComment)
export type VideoCommentList = z.output<typeof VideoCommentList>
