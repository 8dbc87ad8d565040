import type { Call } from '#lib/call.ts'
import type { PostPageProps } from '#views/social/posts/post.tsx'
import type { Attempt, ListedPost, PostDetails } from '../contract.ts'
import { listPosts } from '../posts/posts.operations.tsx'
import { placeOfPost } from './place.ts'

/** What is shown of a post: with its attempts, its thread and its submission. */
export async function loadPostPage(
  call: Pick<Call, 'ask' | 'db'>,
  post: PostDetails,
  reading: Promise<{ items: Attempt[] }>,
): Promise<PostPageProps> {
  const { threadId, groupId } = post
  const [place, attempts, thread, group] = await Promise.all([
    placeOfPost(call, post),
    reading,
    threadId ? listAll(call, { threadId }) : [],
    groupId ? listAll(call, { groupId }) : [],
  ])
  return { post, place, attempts: attempts.items, thread, group }
}

/** All posts of a thread or submission: 95 at most. A page of long texts ends early. */
async function listAll(
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
