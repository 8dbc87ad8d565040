import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { redirect, reply, type Reply } from '#lib/reply.ts'
import { Composer, type ComposerProps } from '#views/social/posts/composer.tsx'
import { NoBrand, type NoBrandProps } from '#views/social/brands/no-brand.tsx'
import { postHref } from '#views/social/posts/post-text.ts'
import type { Media, PostMedia } from '../contract.ts'
import { askCurrentBrand, rememberBrand, replyWithoutBrand } from '../http/current-brand.ts'
import { placeOf, placeOfPost } from '../http/place.ts'
import { listMedia } from '../media/media.operations.tsx'
import { getPost } from './post.operations.tsx'
import { listPostTargets } from './posts.operations.tsx'

export const newPostPage = page({
  path: '/workspace/posts/new',
  permission: 'posts:write',
  query: z.object({}),
  screen: 'composer',
  title: 'New post',
  icon: 'pen-line',
  load: async (call): Promise<Reply<ComposerProps | NoBrandProps>> => {
    const current = await askCurrentBrand(call, 'posts:write')
    const { brand } = current
    if (!brand) return replyWithoutBrand(current)
    const [targets, place] = await Promise.all([call.ask(listPostTargets, { brandId: brand.id }), placeOf(call, brand)])
    return reply(200, { targets: targets.items, post: null, images: [], place }, rememberBrand(call, brand.id))
  },
  view: (data) => ('targets' in data ? <Composer {...data} /> : <NoBrand {...data} />),
})

export const editPostPage = page({
  path: '/workspace/posts/:id/edit',
  permission: 'posts:write',
  query: z.object({ id: Id }),
  screen: 'composer',
  title: 'Edit post',
  load: async (call) => {
    const post = await call.ask(getPost, { id: call.input.id })
    if (post.status === 'published') return redirect(postHref(post))
    const [media, place] = await Promise.all([
      post.media.length > 0 ? call.ask(listMedia, { postId: post.id, limit: 100 }) : null,
      placeOfPost(call, post),
    ])
    const images = imagesOf(post.media, media?.items ?? [])
    return reply(200, { targets: [], post, images, place }, rememberBrand(call, post.brandId))
  },
  view: (composer) => <Composer {...composer} />,
})

function imagesOf(inPost: readonly PostMedia[], media: readonly Media[]): Media[] {
  const byId = new Map(media.map((image) => [image.id, image]))
  return inPost.flatMap(({ mediaId, alt }) => {
    const image = byId.get(mediaId)
    return image ? [{ ...image, alt }] : []
  })
}
