import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { excerpt } from '#views/social/posts/post-text.ts'
import { PostView, type PostPageProps } from '#views/social/posts/post.tsx'
import { rememberBrand } from '../http/current-brand.ts'
import { loadPostPage } from '../http/post-page.ts'
import { getPost, listPostAttempts, listPostCorrections } from './post.operations.tsx'

export const postPage = page({
  path: '/workspace/posts/:id',
  permission: 'posts:read',
  query: z.object({ id: Id }),
  screen: 'preview posts account review keys',
  title: ({ post }: PostPageProps) => excerpt(post.text, 60),
  load: async (call) => {
    const { id } = call.input
    const post = await call.ask(getPost, { id })
    const data = await loadPostPage(call, post, {
      attempts: call.ask(listPostAttempts, { id }),
      corrections: call.ask(listPostCorrections, { id }),
    })
    return reply(200, data, rememberBrand(call, data.post.brandId))
  },
  view: (data) => <PostView {...data} />,
})
