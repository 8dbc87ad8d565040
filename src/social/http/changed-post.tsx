import type { Call } from '#lib/call.ts'
import { PostRow } from '#views/social/posts/post-row.tsx'
import { PostView } from '#views/social/posts/post.tsx'
import { getPost } from '../posts/posts.operations.tsx'
import { placeOfPost } from './place.ts'
import { loadPostPage } from './post-page.ts'

/** A post after a change: its page where htmx replaces that, else its row. */
export async function showChangedPost({ id }: { id: string }, call: Call): Promise<string> {
  const isPage = call.request.headers.get('hx-target')?.endsWith('#post') ?? false
  return isPage ? showPage(call, id) : showRow(call, id)
}

const showPage = async (call: Call, id: string) => <PostView {...await loadPostPage(call, id)} />

async function showRow(call: Call, id: string) {
  const post = await call.ask(getPost, { id })
  return <PostRow post={post} place={await placeOfPost(call, post)} isDated={post.status === 'failed'} />
}
