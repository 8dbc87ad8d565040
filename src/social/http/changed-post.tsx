import type { Call } from '#lib/call.ts'
import { isTarget } from '#lib/page.ts'
import { PostRow } from '#views/social/posts/post-row.tsx'
import { PostView } from '#views/social/posts/post.tsx'
import { getPost, listPostAttempts, listPostCorrections } from '../posts/post.operations.tsx'
import { placeOfPost } from './place.ts'
import { loadPostPage } from './post-page.ts'

/** A post after a change: whole where htmx replaces that, else its row. */
export async function showChangedPost({ id }: { id: string }, call: Call): Promise<string> {
  const post = await call.ask(getPost, { id })
  if (isTarget(call, 'post'))
    return (
      <PostView
        {...await loadPostPage(call, post, {
          attempts: call.ask(listPostAttempts, { id }),
          corrections: call.ask(listPostCorrections, { id }),
        })}
      />
    )
  return <PostRow post={post} parts={[post]} place={await placeOfPost(call, post)} isDated={post.status === 'failed'} />
}
