import type { Call } from '#lib/call.ts'
import type { PostPageProps } from '#views/social/posts/post.tsx'
import { getPost, listPostAttempts, listPosts } from '../posts/posts.operations.tsx'
import { placeOfPost } from './place.ts'

/** More than the posts of a thread or submission. */
const limit = 100

/** What the page of a post shows. */
export async function loadPostPage(call: Pick<Call, 'ask' | 'db'>, id: string): Promise<PostPageProps> {
  const post = await call.ask(getPost, { id })
  const { threadId, groupId } = post
  const [place, attempts, thread, group] = await Promise.all([
    placeOfPost(call, post),
    call.ask(listPostAttempts, { id }),
    threadId ? call.ask(listPosts, { threadId, limit }) : null,
    groupId ? call.ask(listPosts, { groupId, limit }) : null,
  ])
  return { post, place, attempts: attempts.items, thread: thread?.items ?? [], group: group?.items ?? [] }
}
