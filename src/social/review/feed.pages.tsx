import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { reply, type Reply } from '#lib/reply.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { NoBrand, type NoBrandProps } from '#views/social/brands/no-brand.tsx'
import { FeedPage, type FeedPageProps, feedTabs, filterOf } from '#views/social/review/feed.tsx'
import { askCurrentBrand, rememberBrand, replyWithoutBrand } from '../http/current-brand.ts'
import { loadDiscussions } from '../http/review-panel.ts'
import { placeOf } from '../http/place.ts'
import { getFeed } from './reviews.operations.tsx'

export const feedPage = page({
  path: '/workspace/feed',
  permission: 'posts:read',
  query: z.object({ brandId: ignoreInvalid(Id), show: ignoreInvalid(z.enum(feedTabs)), cursor: Cursor }),
  screen: 'preview review keys',
  title: 'Review',
  icon: 'badge-check',
  keywords: 'approve approval feed comments changes queue',
  load: async (call): Promise<Reply<FeedPageProps | NoBrandProps>> => {
    const current = await askCurrentBrand(call, 'posts:read')
    if (!current.brand) return replyWithoutBrand(current)
    const { id: brandId } = current.brand
    const { show: tab = 'me', cursor } = call.input
    const [feed, place] = await Promise.all([
      call.ask(getFeed, { brandId, cursor, ...filterOf(tab) }),
      placeOf(call, current.brand),
    ])
    const discussions = await loadDiscussions(call, feed)
    return reply(200, { tab, cursor, feed, discussions, place }, rememberBrand(call, brandId))
  },
  view: (data) => ('feed' in data ? <FeedPage {...data} /> : <NoBrand {...data} />),
})
