import type { Call } from '#lib/call.ts'
import type { PostPageProps } from '#views/social/posts/post.tsx'
import type { Attempt, ListedPost, PostCorrection, PostDetails } from '../contract.ts'
import { listPosts } from '../posts/posts.operations.tsx'
import { listPostReviews } from '../review/reviews.operations.tsx'
import { placeOfPost } from './place.ts'
import { loadPanel } from './review-panel.ts'

/** What is shown of a post: with its attempts and corrections, its thread and its submission. */
export async function loadPostPage(
  call: Pick<Call, 'ask' | 'db' | 'request'>,
  post: PostDetails,
  reading: { attempts: Promise<{ items: Attempt[] }>; corrections: Promise<{ items: PostCorrection[] }> },
): Promise<PostPageProps> {
  const { id, threadId, groupId } = post
  const [place, attempts, corrections, thread, group, reviews] = await Promise.all([
    placeOfPost(call, post),
    reading.attempts,
    reading.corrections,
    threadId ? listAll(call, { threadId }) : [],
    groupId ? listAll(call, { groupId }) : [],
    call.ask(listPostReviews, { id }),
  ])
  const review = await loadPanel(call, reviews, place)
  return {
    post,
    place,
    attempts: attempts.items,
    corrections: corrections.items,
    thread,
    group,
    review,
    canInvite: reviews.can.comment,
  }
}

/** All posts of a thread or submission: 95 at most. A page of long texts ends early. */
export async function listAll(
  { ask }: Pick<Call, 'ask'>,
  of: { threadId: string } | { groupId: string },
): Promise<ListedPost[]> {
  const posts: ListedPost[] = []
  let cursor: string | undefined
  do {
    const { items, nextCursor } = await ask(listPosts, { ...of, cursor, limit: 100 })
    posts.push(...items)
    cursor = nextCursor ?? undefined
  } while (cursor)
  return posts
}
