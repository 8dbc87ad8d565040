import type { ListedPost } from '#social/types'
import { hasCommentTrouble, stateOf } from './post-text.ts'

/** One row of a list: a post, or the posts of a thread that are listed together. */
export interface PostRowContent {
  /** The first of them. */
  post: ListedPost
  parts: readonly ListedPost[]
}

/** The posts of a thread become one row, where the first of them was. */
export function collapseThreads(posts: readonly ListedPost[]): PostRowContent[] {
  const rows = new Map<string, ListedPost[]>()
  for (const post of posts) {
    const key = post.threadId ?? post.id
    rows.set(key, [...(rows.get(key) ?? []), post])
  }
  return [...rows.values()].flatMap((parts) => {
    const [post, ...others] = parts.toSorted((a, b) => a.position - b.position)
    return post ? [{ post, parts: [post, ...others] }] : []
  })
}

const urgency = ['failed', 'waiting', 'sending', 'problem', 'warning', 'scheduled', 'draft', 'published']

const urgencyOf = (post: ListedPost): number => {
  if (hasCommentTrouble(post)) return urgency.indexOf('warning')
  const readiness = post.readiness?.state
  return urgency.indexOf(readiness && readiness !== 'ready' ? readiness : stateOf(post))
}

/** The part whose state counts for all of them: one that failed, else one that waits, and so on. */
export const urgentPost = ({ post, parts }: PostRowContent): ListedPost =>
  parts.toSorted((a, b) => urgencyOf(a) - urgencyOf(b))[0] ?? post
