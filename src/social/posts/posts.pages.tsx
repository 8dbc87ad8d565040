import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor, Limit } from '#lib/paginate.ts'
import { reply, type Reply } from '#lib/reply.ts'
import { Day, wallTime } from '#lib/time.ts'
import { dayKey, type Place } from '#views/social/posts/post-text.ts'
import { NoBrand, type NoBrandProps } from '#views/social/brands/no-brand.tsx'
import type { PostsFilter } from '#views/social/posts/posts-filters.tsx'
import { Posts, type PostsProps } from '#views/social/posts/posts.tsx'
import { PostStatus, Provider, type PostList } from '../contract.ts'
import { askCurrentBrand, rememberBrand, replyWithoutBrand } from '../http/current-brand.ts'
import { askFirstSteps } from '../http/first-steps.ts'
import { placeOf } from '../http/place.ts'
import { getPostCounts, getPostFilterOptions, listPosts, listPostTargets } from './posts.operations.tsx'
import { listUnsavedPosts } from './unsaved/unsaved-posts.operations.tsx'

const firstRows = 20
const maxRows = 100

const Query = z.object({
  brandId: ignoreInvalid(Id),
  status: ignoreInvalid(PostStatus),
  q: ignoreInvalid(plainText(200).trim().min(1)),
  provider: ignoreInvalid(Provider),
  accountId: ignoreInvalid(Id),
  tag: ignoreInvalid(plainText(100).trim().min(1)),
  authorId: ignoreInvalid(Id),
  from: ignoreInvalid(Day),
  to: ignoreInvalid(Day),
  cursor: Cursor,
  /** The pages before ended with the last scheduled post: this one continues with earlier posts, from this day. */
  past: ignoreInvalid(Day),
  /** Its row is on the page before, with all its posts. */
  thread: ignoreInvalid(Id),
  shown: z.coerce.number().int().min(0).catch(0),
  limit: Limit.catch(firstRows),
})
type Query = z.output<typeof Query>

type PageCall = Call<Query, Actor>

export const postsPage = page({
  path: '/workspace/posts',
  permission: 'posts:read',
  query: Query,
  screen: 'posts post-list milestones',
  title: 'Posts',
  icon: 'list',
  load: async (call): Promise<Reply<PostsProps | NoBrandProps>> => {
    const current = await askCurrentBrand(call, 'posts:read')
    const { brand } = current
    if (!brand) return replyWithoutBrand(current)
    return reply(200, await loadPosts(call, await placeOf(call, brand)), rememberBrand(call, brand.id))
  },
  view: (data) => ('posts' in data ? <Posts {...data} /> : <NoBrand {...data} />),
})

async function loadPosts(call: PageCall, place: Place): Promise<PostsProps> {
  const { input, request } = call
  const { cursor, past: _, shown, limit, thread: above, ...rest } = input
  const brandId = place.brand.id
  const filter: PostsFilter = { ...rest, brandId }
  const range = rangeOf(filter, place)
  const { status: _status, ...anyStatus } = range
  const [found, failed, counts, options, unsaved] = await Promise.all([
    listInReadingOrder(call, filter, place),
    filter.status || cursor ? null : call.ask(listPosts, { ...queryOf(filter, place), status: 'failed' }),
    call.ask(getPostCounts, anyStatus),
    call.ask(getPostFilterOptions, range),
    filter.status === 'draft' && !cursor ? call.ask(listUnsavedPosts, { brandId }) : null,
  ])
  const { list, cut } = await completeThread(call, found, { above, status: filter.status })
  // All posts of a later page can have been deleted.
  if (cursor && list.items.length === 0 && !list.next)
    return loadPosts({ ...call, input: { ...input, cursor: undefined, past: undefined, shown: 0 } }, place)
  // A post can fail between the two queries: it is listed once, among those that need attention.
  const failedIds = new Set(failed?.items.map(({ id }) => id))
  const isEmpty = list.items.length === 0 && !failed?.items.length && !list.next
  return {
    filter,
    place,
    counts,
    options,
    canCreate: list.can.create,
    needsAttention: failed?.items ?? [],
    posts: filter.status
      ? list.items
      : list.items.filter(({ id, status }) => status !== 'failed' && !failedIds.has(id)),
    unsaved: unsaved?.items ?? [],
    steps: isEmpty ? await askSteps(call, brandId) : null,
    shown,
    address: hrefOf(request.url, brandId),
    longer:
      list.next && list.canGrow && limit < maxRows
        ? hrefOf(request.url, brandId, { limit: String(Math.min(maxRows, limit + firstRows)) })
        : null,
    next: list.next && { ...list.next, thread: cut },
  }
}

/** A thread that a page ends within is shown whole on that page, so that the next one has no second row for it. */
async function completeThread(
  { ask }: PageCall,
  list: Listed,
  { above, status }: { above: string | undefined; status: PostsFilter['status'] },
): Promise<{ list: Listed; cut: string | undefined }> {
  const items = above ? list.items.filter(({ threadId }) => threadId !== above) : list.items
  // It can be longer than two pages.
  if (above && list.next && list.items.at(-1)?.threadId === above) return { list: { ...list, items }, cut: above }
  const last = list.next && items.at(-1)
  const threadId = last?.threadId ?? undefined
  const parts = items.filter((post) => post.threadId === threadId)
  if (!last || !threadId || parts.length === last.threadSize) return { list: { ...list, items }, cut: undefined }
  const thread = await ask(listPosts, { threadId, limit: maxRows })
  const listedIds = new Set(parts.map(({ id }) => id))
  const missing = thread.items.filter((post) => !listedIds.has(post.id) && (!status || post.status === status))
  return { list: { ...list, items: [...items, ...missing] }, cut: threadId }
}

async function askSteps(call: PageCall, id: string): Promise<PostsProps['steps']> {
  const { items } = await call.ask(listPostTargets, { brandId: id })
  return askFirstSteps(call, { page: 'post', brand: { id }, hasAccount: items.length > 0 })
}

/** The URL of the page with its brand: another tab can switch to another brand. */
const hrefOf = ({ pathname, searchParams }: URL, brandId: string, more: Record<string, string> = {}): string =>
  `${pathname}?${new URLSearchParams({ ...Object.fromEntries(searchParams), brandId, ...more })}`

interface Listed extends Pick<PostList, 'items' | 'can'> {
  /** Whether a higher limit would show more. A page of long texts ends before its limit. */
  canGrow: boolean
  next: PostsProps['next']
}

/** Scheduled posts from the soonest on, another status from the newest back, and all posts like a calendar. */
async function listInReadingOrder(call: PageCall, filter: PostsFilter, place: Place): Promise<Listed> {
  const { cursor, limit } = call.input
  const query = { ...queryOf(filter, place), cursor, limit }
  if (!filter.status) return listFromToday(call, query, place)
  const order = filter.status === 'scheduled' ? 'soonest' : 'newest'
  return listed(await call.ask(listPosts, { ...query, order }), limit)
}

type ListQuery = ReturnType<typeof queryOf> & { cursor: string | undefined; limit: number }

/** From today on, soonest first, and after the last of those the days before, newest first. */
async function listFromToday({ ask, input }: PageCall, query: ListQuery, { now, zone }: Place): Promise<Listed> {
  const past = input.past ?? dayKey(now, zone)
  const start = startOf(past, zone)
  const ahead = input.past
    ? null
    : await ask(listPosts, { ...query, order: 'soonest', from: latest(start, query.from) })
  if (ahead?.nextCursor) return listed(ahead, query.limit)
  const cursor = ahead ? undefined : query.cursor
  const before = await ask(listPosts, { ...query, cursor, to: earliest(start, query.to) })
  const { items, ...rest } = listed(before, query.limit, past)
  return { ...rest, items: [...(ahead?.items ?? []), ...items] }
}

const listed = ({ items, nextCursor, can }: PostList, limit: number, past?: string): Listed => ({
  items,
  can,
  canGrow: items.length === limit,
  next: nextCursor ? { cursor: nextCursor, past } : null,
})

// Instants in UTC with the same number of digits are in the order of their text.
const latest = (a: string, b = a): string => (a > b ? a : b)
const earliest = (a: string, b = a): string => (a < b ? a : b)

/** The days of the filter are days of the brand. */
const rangeOf = ({ from, to, ...filter }: PostsFilter, { zone }: Place) => ({
  ...filter,
  from: from && startOf(from, zone),
  to: to && startOf(dayAfter(to), zone),
})

const queryOf = (filter: PostsFilter, place: Place) => ({ ...rangeOf(filter, place), limit: firstRows })

const startOf = (day: string, zone: string): string => wallTime(`${day}T00:00`, zone).toISOString()

const dayAfter = (day: string): string => Temporal.PlainDate.from(day).add({ days: 1 }).toString()
