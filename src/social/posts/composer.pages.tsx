import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { nullFor404 } from '#lib/errors.ts'
import { Id, newId } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { Day } from '#lib/time.ts'
import { redirect, reply, type Reply } from '#lib/reply.ts'
import { Composer, type ComposerProps } from '#views/social/posts/composer.tsx'
import { planViews } from '#views/social/calendar/calendar-days.ts'
import { NoBrand, type NoBrandProps } from '#views/social/brands/no-brand.tsx'
import { postHref } from '#views/social/posts/post-text.ts'
import { unsavedHref } from '#views/social/posts/unsaved-posts.tsx'
import type { Media, PostDetails, PostMedia } from '../contract.ts'
import { getBrand } from '../brands/brands.operations.tsx'
import { askCurrentBrand, rememberBrand, replyWithoutBrand } from '../http/current-brand.ts'
import { Unconnected, unconnectedOf } from '../http/unconnected.ts'
import { copyOf, siblingsOf } from '../http/composer-origin.ts'
import { askFirstSteps } from '../http/first-steps.ts'
import { placeOf, placeOfPost } from '../http/place.ts'
import { listQueueSlots } from '../slots/slots.operations.tsx'
import { getMedia, listMedia } from '../media/media.operations.tsx'
import { getPost } from './post.operations.tsx'
import { listPostTargets } from './posts.operations.tsx'
import { getUnsavedPost, listUnsavedPosts } from './unsaved/unsaved-posts.operations.tsx'

const maxImages = 4
const LocalMinute = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)
  .refine((at) => Day.safeParse(at.slice(0, 10)).success && at.slice(11) < '24:00')
/** As in a link: IDs separated by commas. */
const mediaIds = (most: number) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(Id).min(1).max(most))
const maxCopied = 50

export const newPostPage = page({
  path: '/workspace/posts/new',
  permission: 'posts:write',
  query: z.object({
    unsaved: ignoreInvalid(Id),
    media: ignoreInvalid(mediaIds(maxImages)).describe('Files of the library to begin with.'),
    at: ignoreInvalid(z.union([Day, LocalMinute])).describe('The local time to begin with, or only its day.'),
    from: ignoreInvalid(Id).describe('The post to copy, with its thread.'),
    files: ignoreInvalid(mediaIds(maxCopied)).describe('With `from`: copies of its files, in their order.'),
    view: ignoreInvalid(z.enum(planViews)).describe('With `at`: the view of the calendar, or the queue, to return to.'),
    account: ignoreInvalid(Id).describe('The account that was connected on its network’s consent page.'),
    ...Unconnected,
  }),
  screen: 'preview composer media-picker milestones',
  title: 'New post',
  icon: 'pen-line',
  load: async (call): Promise<Reply<ComposerProps | NoBrandProps>> => {
    const current = await askCurrentBrand(call, 'posts:write')
    const { brand } = current
    if (!brand) return replyWithoutBrand(current)
    const { unsaved: unsavedId = newId() } = call.input
    const [targets, place, nextSlot, stored, unsaved, images, hashtags] = await Promise.all([
      call.ask(listPostTargets, { brandId: brand.id }),
      placeOf(call, brand),
      askNextSlot(call, brand.id),
      call.ask(listUnsavedPosts, { brandId: brand.id }),
      call.input.unsaved ? call.ask(getUnsavedPost, { unsavedId }).catch(nullFor404) : null,
      askImages(call, brand.id, call.input.files ?? call.input.media),
      call.ask(getBrand, { id: brand.id }),
    ])
    const { from } = call.input
    const files = call.input.files && images.map(({ id }) => id)
    const copied = await copyOf(call, { from, brand, brands: current.brands, timeZone: place.zone, unsavedId, files })
    const others = stored.items.filter(({ id }) => id !== unsavedId)
    const steps = await askFirstSteps(call, { page: 'composer', brand, hasAccount: targets.items.length > 0 })
    const composer = {
      post: null,
      hashtags,
      approval: approvalOf(hashtags.reviewPolicy.approvals),
      images,
      place,
      nextSlot,
      targets: targets.items,
      unsavedId,
      unsaved: unsaved ?? copied?.unsaved ?? null,
      origin: copied?.origin,
      others,
      steps,
      at: call.input.at,
    }
    const connecting = { canConnect: targets.can.connect, account: call.input.account, ...unconnectedOf(call.input) }
    return reply(
      200,
      { ...composer, ...connecting, personId: call.actor.principal.id, tabId: newId() },
      rememberBrand(call, brand.id),
    )
  },
  view: (data) => ('targets' in data ? <Composer {...data} /> : <NoBrand {...data} />),
})

export const editPostPage = page({
  path: '/workspace/posts/:id/edit',
  permission: 'posts:write',
  query: z.object({ id: Id, unsaved: ignoreInvalid(Id) }),
  // A stylesheet that comes later lets text move: it is drawn again with fonts that were late.
  screen: 'preview composer media-picker composer-networks',
  title: 'Edit post',
  load: async (call) => {
    const post = await call.ask(getPost, { id: call.input.id })
    const { items } = await call.ask(listUnsavedPosts, { postId: post.id })
    const stored = items.find(({ id }) => id === call.input.unsaved) ?? items[0]
    if (post.status === 'published') return redirect(stored ? unsavedHref({ ...stored, postId: null }) : postHref(post))
    const [media, place, nextSlot, unsaved, siblings] = await Promise.all([
      post.media.length > 0 ? call.ask(listMedia, { postId: post.id, limit: 100 }) : null,
      placeOfPost(call, post),
      askNextSlot(call, post.brandId),
      stored ? call.ask(getUnsavedPost, { unsavedId: stored.id }).catch(nullFor404) : null,
      siblingsOf(call, post),
    ])
    const images = imagesOf(post.media, media?.items ?? [])
    const others = items.filter(({ id }) => id !== stored?.id)
    const unsavedId = stored?.id ?? call.input.unsaved ?? newId()
    const composer = {
      post,
      approval: post.approvals.missing > 0 ? approvalOf(post.approvals.needed, post) : null,
      images,
      place,
      nextSlot,
      targets: [],
      others,
      unsavedId,
      unsaved,
      siblings,
      steps: null,
      canConnect: false,
      unconnected: null,
    }
    return reply(
      200,
      { ...composer, personId: call.actor.principal.id, tabId: newId() },
      rememberBrand(call, post.brandId),
    )
  },
  view: (composer) => <Composer {...composer} />,
})

/** What stands between a post and its schedule; null where nothing does. */
const approvalOf = (needed: number, post?: PostDetails): ComposerProps['approval'] =>
  needed === 0 ? null : { needed, inReview: post?.reviewState === 'requested' }

const askNextSlot = async ({ ask }: Pick<Call, 'ask'>, id: string): Promise<string | null> =>
  (await ask(listQueueSlots, { id, limit: 1 })).nextFree

/** Without those of another brand, and those that were deleted since. */
async function askImages({ ask }: Pick<Call, 'ask'>, brandId: string, ids: readonly string[] = []): Promise<Media[]> {
  const found = await Promise.all(ids.map((id) => ask(getMedia, { id }).catch(nullFor404)))
  return found.filter((image) => image?.brandId === brandId).flatMap((image) => image ?? [])
}

function imagesOf(inPost: readonly PostMedia[], media: readonly Media[]): Media[] {
  const byId = new Map(media.map((image) => [image.id, image]))
  return inPost.flatMap(({ mediaId, alt }) => {
    const image = byId.get(mediaId)
    return image ? [{ ...image, alt }] : []
  })
}
