import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { redirect, reply } from '#lib/reply.ts'
import { CorrectionForm } from '#views/social/posts/correction-form.tsx'
import { postHref } from '#views/social/posts/post-text.ts'
import { rememberBrand } from '../http/current-brand.ts'
import { getPost } from '../posts/post.operations.tsx'

export const correctPostPage = page({
  path: '/workspace/posts/:id/correct',
  permission: 'posts:write',
  query: z.object({ id: Id }),
  screen: 'posts',
  title: 'Correct post',
  load: async (call) => {
    const post = await call.ask(getPost, { id: call.input.id })
    if (!post.can.correct) return redirect(postHref(post))
    return reply(200, { post }, rememberBrand(call, post.brandId))
  },
  view: (props) => <CorrectionForm {...props} />,
})
