import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { databaseTime } from '#lib/database-time.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Limit, type PageOf } from '#lib/paginate.ts'
import { reply, type Reply } from '#lib/reply.ts'
import { Day, wallTime } from '#lib/time.ts'
import { plainText } from '#lib/text.ts'
import { dayKey } from '#views/social/days.ts'
import { NoBrand, type NoBrandProps } from '#views/social/no-brand.tsx'
import type { PostsFilter } from '#views/social/posts-filter.ts'
import { Posts, type PostsProps } from '#views/social/posts.tsx'
import type { BrandRow } from '../brands/brands.ts'
import { PostStatus, Provider } from '../contract.ts'
import { rememberBrand, requestedBrand, replyWithoutBrand } from '../http/current-brand.ts'
import { may } from '../may.ts'
import { catalog } from '../networks/index.ts'
import { linesOf } from './lines.ts'
import * as posts from './posts.ts'

/** Rows of a page, initially and at most. */
const firstRows = 20
const mostRows = 100

/** What a form leaves empty, or an old link spells wrongly, narrows nothing. */
const loose = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

const Query = z.object({
  brandId: loose(Id),
  status: loose(PostStatus),
  q: loose(plainText(200).trim().min(1)),
  provider: loose(Provider),
  from: loose(Day),
  to: loose(Day),
  cursor: z.string().max(500).optional(),
  /** The pages before ended with what lies ahead: this one goes back from this day. */
  past: loose(Day),
  /** Number of posts on the previous pages. */
  shown: z.coerce.number().int().min(0).catch(0),
  limit: Limit.catch(firstRows),
})
type Query = z.output<typeof Query>

type PageCall = Call<Query, Actor>

export const postsPage = page({
  path: '/workspace/posts',
  permission: 'posts:read',
  query: Query,
  screen: 'posts',
  title: 'Posts',
  icon: 'list',
  load: async (call): Promise<Reply<PostsProps | NoBrandProps>> => {
    const brand = await requestedBrand(call, call.actor)
    return brand ? reply(200, await listOf(call, brand), rememberBrand(call, brand.id)) : replyWithoutBrand(call)
  },
  view: (shown) => ('lines' in shown ? <Posts {...shown} /> : <NoBrand {...shown} />),
})

async function listOf(call: PageCall, brand: BrandRow): Promise<PostsProps> {
  const { db, actor, input, request, config } = call
  const { cursor, past: _, shown, limit, ...rest } = input
  const filter: PostsFilter = { ...rest, brandId: brand.id }
  const now = await databaseTime(db)
  const [listed, failed, counts, mayWrite] = await Promise.all([
    inReadingOrder(call, brand, filter, now),
    filter.status || cursor ? null : posts.list(db, actor, asked({ ...filter, status: 'failed' }, brand), call.signal),
    posts.countsByStatus(db, actor, brand.id),
    may(call, 'posts:write'),
  ])
  // All posts of a later page can have been deleted.
  if (cursor && listed.items.length === 0 && !listed.next)
    return listOf({ ...call, input: { ...input, cursor: undefined, past: undefined, shown: 0 } }, brand)
  // A post can fail between the two queries: it is listed once, among those that need attention.
  const needy = new Set(failed?.items.map(({ id }) => id))
  const ofDays = filter.status
    ? listed.items
    : listed.items.filter(({ id, status }) => status !== 'failed' && !needy.has(id))
  return {
    brand: brand.name,
    filter,
    counts,
    networks: catalog(config).map(({ provider }) => provider),
    place: { now, zone: brand.timeZone, mayWrite },
    needsYou: await linesOf(call, brand.id, failed?.items ?? []),
    lines: await linesOf(call, brand.id, ofDays),
    shown,
    address: hrefOf(request.url, brand),
    longer:
      listed.next && listed.canGrow && limit < mostRows
        ? hrefOf(request.url, brand, { limit: String(Math.min(mostRows, limit + firstRows)) })
        : null,
    next: listed.next,
  }
}

/** The page's own URL, with its brand: another tab can switch to another brand. */
function hrefOf({ pathname, searchParams }: URL, { id: brandId }: BrandRow, more: Record<string, string> = {}): string {
  return `${pathname}?${new URLSearchParams({ ...Object.fromEntries(searchParams), brandId, ...more })}`
}

interface Listed {
  items: posts.ListedPost[]
  /** Whether a higher limit would show more. A page of long texts ends before its limit. */
  canGrow: boolean
  next: PostsProps['next']
}

/** What is scheduled reads from the soonest on, other tabs from the newest back, and all posts as a calendar does. */
async function inReadingOrder(call: PageCall, brand: BrandRow, filter: PostsFilter, now: Date): Promise<Listed> {
  const { db, actor, input } = call
  const query = { ...asked(filter, brand), cursor: input.cursor, limit: input.limit }
  if (filter.status === 'scheduled') return listedOf(await posts.listSoonest(db, actor, query, call.signal), query)
  if (filter.status) return listedOf(await posts.list(db, actor, query, call.signal), query)
  return fromToday(call, brand, query, now)
}

type Asked = ReturnType<typeof asked> & { cursor?: string }

/** From today on, soonest first, and after the last of those the days before, newest first. */
async function fromToday(
  { db, actor, input, signal }: PageCall,
  brand: BrandRow,
  query: Asked,
  now: Date,
): Promise<Listed> {
  const past = input.past ?? dayKey(now, brand.timeZone)
  const start = wallTime(`${past}T00:00`, brand.timeZone)
  const ahead = input.past
    ? null
    : await posts.listSoonest(db, actor, { ...query, from: latest(start, query.from) }, signal)
  if (ahead?.nextCursor) return listedOf(ahead, query)
  const cursor = ahead ? undefined : query.cursor
  const before = await posts.list(db, actor, { ...query, cursor, to: earliest(start, query.to) }, signal)
  const listed = listedOf(before, query, past)
  return { ...listed, items: [...(ahead?.items ?? []), ...listed.items] }
}

const listedOf = (
  { items, nextCursor }: PageOf<posts.ListedPost>,
  { limit }: Pick<Asked, 'limit'>,
  past?: string,
): Listed => ({
  items,
  canGrow: items.length === limit,
  next: nextCursor ? { cursor: nextCursor, past } : null,
})

const latest = (a: Date, b = a): Date => (a > b ? a : b)
const earliest = (a: Date, b = a): Date => (a < b ? a : b)

/** The days of the filter are days of the brand. */
const asked = ({ from, to, ...filter }: PostsFilter, { timeZone }: BrandRow) => ({
  ...filter,
  limit: firstRows,
  from: from ? wallTime(`${from}T00:00`, timeZone) : undefined,
  to: to ? wallTime(`${dayAfter(to)}T00:00`, timeZone) : undefined,
})

const dayAfter = (day: string): string => Temporal.PlainDate.from(day).add({ days: 1 }).toString()
