import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Limit } from '#lib/paginate.ts'
import { reply, type Reply } from '#lib/reply.ts'
import { wallTime } from '#lib/time.ts'
import { NoBrand, type NoBrandProps } from '#views/social/no-brand.tsx'
import type { PostsFilter } from '#views/social/posts-filter.ts'
import { Posts, type PostsProps } from '#views/social/posts.tsx'
import type { BrandRow } from '../brands/brands.ts'
import { PostStatus, Provider } from '../contract.ts'
import { currentBrand, remembered } from '../brands/current-brand.ts'
import { may, withoutBrand } from '../may.ts'
import { catalog } from '../networks/index.ts'
import { linesOf } from './lines.ts'
import * as posts from './posts.ts'

/** What a form leaves empty, or an old link spells wrongly, narrows nothing. */
const loose = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

const Query = z.object({
  brandId: loose(Id),
  status: loose(PostStatus),
  q: loose(z.string().trim().min(1).max(200)),
  provider: loose(Provider),
  from: loose(z.iso.date()),
  to: loose(z.iso.date()),
  cursor: z.string().max(500).optional(),
  /** How many posts the pages before showed, and the day with which they ended. */
  shown: z.coerce.number().int().min(0).catch(0),
  after: loose(z.iso.date()),
})
type Query = z.output<typeof Query>

type PageCall = Call<Query, Actor>

export const postsPage = page({
  path: '/workspace/posts',
  permission: 'posts:read',
  query: Query,
  screen: 'posts',
  title: 'Posts',
  load: async (call): Promise<Reply<PostsProps | NoBrandProps>> => {
    const { brand } = await currentBrand(call, call.actor)
    return brand ? reply(200, await listOf(call, brand), remembered(brand.id)) : withoutBrand(call)
  },
  view: (shown) => ('lines' in shown ? <Posts {...shown} /> : <NoBrand {...shown} />),
})

async function listOf(call: PageCall, brand: BrandRow): Promise<PostsProps> {
  const { db, actor, input, request, config } = call
  const { cursor, shown, after, ...rest } = input
  const filter: PostsFilter = { ...rest, brandId: brand.id }
  const [listed, failed, counts, mayWrite] = await Promise.all([
    posts.list(db, actor, asked(filter, brand, cursor)),
    filter.status || cursor ? null : posts.list(db, actor, asked({ ...filter, status: 'failed' }, brand)),
    posts.countsByStatus(db, actor, brand.id),
    may(call, 'posts:write'),
  ])
  const ofDays = filter.status ? listed.items : listed.items.filter(({ status }) => status !== 'failed')
  return {
    brand: brand.name,
    filter,
    counts,
    networks: catalog(config).map(({ provider }) => provider),
    place: { now: call.now(), zone: brand.timeZone, mayWrite },
    needsYou: await linesOf(call, brand.id, failed?.items ?? []),
    lines: await linesOf(call, brand.id, ofDays),
    shown,
    after,
    address: request.url.pathname + request.url.search,
    nextCursor: listed.nextCursor,
  }
}

/** The days of the filter are days of the brand. */
const asked = ({ from, to, ...filter }: PostsFilter, { timeZone }: BrandRow, cursor?: string): posts.PostFilter => ({
  ...filter,
  cursor,
  limit: Limit.parse(undefined),
  from: from ? wallTime(`${from}T00:00`, timeZone) : undefined,
  to: to ? wallTime(`${dayAfter(to)}T00:00`, timeZone) : undefined,
})

const dayAfter = (day: string): string => Temporal.PlainDate.from(day).add({ days: 1 }).toString()
