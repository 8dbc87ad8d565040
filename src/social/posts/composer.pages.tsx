import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { databaseTime } from '#lib/database-time.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { redirect, reply, type Reply } from '#lib/reply.ts'
import type { ComposerImage } from '#views/social/composer-media.tsx'
import type { Account } from '#views/social/composer-targets.tsx'
import { Composer, type ComposerProps } from '#views/social/composer.tsx'
import { inAnHour, wallTimeOf } from '#views/social/days.ts'
import { postHref } from '#views/social/line.ts'
import { NoBrand, type NoBrandProps } from '#views/social/no-brand.tsx'
import * as brands from '../brands/brands.ts'
import { Post } from '../contract.ts'
import { rememberBrand, requestedBrand, replyWithoutBrand } from '../http/current-brand.ts'
import { limitsFor } from '../accounts/limits.ts'
import * as integrations from '../accounts/integrations.ts'
import { mediaOf } from '../media/in-posts.ts'
import { networkOf } from '../networks/index.ts'
import { limitsOf } from '../networks/limits.ts'
import type { Limits, Metadata } from '../networks/network.ts'
import { linesOf } from './lines.ts'
import * as posts from './posts.ts'

type ActorCall = Call<unknown, Actor>

export const newPostPage = page({
  path: '/workspace/posts/new',
  permission: 'posts:write',
  query: z.object({}),
  screen: 'composer',
  title: 'New post',
  icon: 'pen-line',
  load: async (call): Promise<Reply<ComposerProps | NoBrandProps>> => {
    const brand = await requestedBrand(call, call.actor)
    if (!brand) return replyWithoutBrand(call)
    const accounts = await accountsOf(call, brand.id)
    return reply(
      200,
      { ...(await composerOf(call, brand)), accounts, post: null, images: [] },
      rememberBrand(call, brand.id),
    )
  },
  view: (shown) => ('accounts' in shown ? <Composer {...shown} /> : <NoBrand {...shown} />),
})

export const editPostPage = page({
  path: '/workspace/posts/:id/edit',
  permission: 'posts:write',
  query: z.object({ id: Id }),
  screen: 'composer',
  title: 'Edit post',
  load: async (call) => {
    const post = await posts.get(call.db, call.actor, call.input.id)
    if (post.status === 'published') return redirect(postHref(post))
    const brand = await brands.get(call.db, call.actor, post.brandId)
    const accounts = await accountOf(call, post)
    return reply(
      200,
      {
        ...(await composerOf(call, brand, post)),
        accounts,
        post: Post.parse(post),
        images: await imagesOf(call, post),
      },
      rememberBrand(call, brand.id),
    )
  },
  view: (composer) => <Composer {...composer} />,
})

/** The accounts that can be published to. */
async function accountsOf(call: ActorCall, brandId: string): Promise<Account[]> {
  const { items: cards } = await integrations.listIntegrations(call, brandId)
  return cards.flatMap(({ provider, limits, connections }) =>
    connections
      .filter(({ active }) => active)
      .map(({ id, name, metadata }) => ({
        connectionId: id,
        provider,
        name,
        ...countingOf(provider, metadata, limits),
      })),
  )
}

/** Where an edited post goes, as one account. */
async function accountOf(call: ActorCall, post: posts.PostRow): Promise<Account[]> {
  const [line] = await linesOf(call, post.brandId, [post])
  const { items: cards } = await integrations.listIntegrations(call, post.brandId)
  const card = cards.find(({ provider }) => provider === post.provider)
  const name = line?.account ?? null
  const network = networkOf(post.provider)
  const limits = network ? await limitsFor(call.db, network, post) : card?.limits
  return [
    { connectionId: post.id, provider: post.provider, name, ...countingBy(limits ?? { characters: 0, media: 0 }) },
  ]
}

/** How the composer counts for an account. */
function countingOf(provider: Post['provider'], metadata: Metadata, usual: Limits) {
  const network = networkOf(provider)
  return countingBy(network ? limitsOf(network, metadata) : usual)
}

const countingBy = ({ characters: limit, urlCharacters: address, media, images }: Limits) => ({
  limit,
  address,
  media,
  images,
})

/** The images of an edited post, with the words that they have there. */
async function imagesOf({ db }: ActorCall, { brandId, media }: posts.PostRow): Promise<ComposerImage[]> {
  const rows = await mediaOf(db, brandId, media)
  return media.flatMap(({ mediaId, alt }) => {
    const row = rows.get(mediaId)
    return row ? [{ ...row, alt }] : []
  })
}

type Placed = Pick<ComposerProps, 'brand' | 'date' | 'time' | 'zone' | 'now'>

/** The brand, and the schedule that the composer proposes: the post's own when it lies ahead. */
async function composerOf({ db }: ActorCall, brand: brands.BrandRow, post?: posts.PostRow): Promise<Placed> {
  const zone = post?.timeZone ?? brand.timeZone
  const own = post?.status === 'scheduled' ? post.scheduledAt : null
  const now = await databaseTime(db)
  return {
    brand: { id: brand.id, name: brand.name },
    ...wallTimeOf(own ?? inAnHour(now), zone),
    zone,
    now,
  }
}
