import type { PostComment, PostCommentList } from '#social/types'
import { addressOf } from '#views/ui/live.ts'

/** The newest comments that are left, the oldest of them first. */
export interface Discussion {
  comments: readonly PostComment[]
  /** The URL of those before; null without any. */
  older: string | null
}

export const pageOfComments = 20

/** A page of comments that was read from the newest on. */
export function discussionOf({ items, nextCursor: cursor, post }: PostCommentList, resolved?: boolean): Discussion {
  const query = { order: 'newest', resolved: resolved?.toString(), limit: pageOfComments }
  return {
    comments: items.toReversed(),
    older: cursor && addressOf(`/api/posts/${post.id}/comments`, { ...query, cursor }),
  }
}
