import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { excerpt } from '#views/social/posts/post-text.ts'
import { DeletedPost, PostView, type PostPageProps } from '#views/social/posts/post.tsx'
import { rememberBrand } from '../http/current-brand.ts'
import { loadPostPage } from '../http/post-page.ts'

export const postPage = page({
  path: '/workspace/posts/:id',
  permission: 'posts:read',
  query: z.object({ id: Id }),
  screen: 'posts',
  title: ({ post }: PostPageProps) => excerpt(post.text, 60),
  load: async (call) => {
    const data = await loadPostPage(call, call.input.id)
    return reply(200, data, rememberBrand(call, data.post.brandId))
  },
  view: (data) => <PostView {...data} />,
  gone: () => <DeletedPost />,
})
