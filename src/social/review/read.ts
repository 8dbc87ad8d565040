import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { isPerson } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { keyset } from '#lib/paginate.ts'
import { Id } from '#lib/ids.ts'
import { Instant } from '#lib/time.ts'
import { readPermissions } from '../access.ts'
import { get } from '../posts/posts.ts'
import { postComments, postReviews } from '../schema.ts'
import type { CommentFilter } from './input.ts'
import { listSharedPosts } from './shared-posts.ts'
import { describeReviews, personOf, type Names } from './present.ts'

type ReadCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity'>
type ListInput = { id: string; limit: number; cursor?: string | undefined }

const latest = keyset({ createdAt: [postReviews.createdAt, Instant], id: [postReviews.id, Id] }, 'desc')
const commentColumns = { createdAt: [postComments.createdAt, Instant], id: [postComments.id, Id] } as const
const commentOrders = { oldest: keyset(commentColumns, 'asc'), newest: keyset(commentColumns, 'desc') }

/** Who decided what on which content, newest first. @throws {Problem} 404 */
export async function readReviews(call: ReadCall, { id, ...query }: ListInput) {
  const { db, actor } = call
  const post = await get(db, actor, id)
  const slice = latest.slice(query)
  const [rows, can] = await Promise.all([
    db
      .select()
      .from(postReviews)
      .where(and(eq(postReviews.postId, id), slice.where))
      .orderBy(...slice.order)
      .limit(slice.limit),
    readPermissions(call),
  ])
  const page = slice.page(rows)
  const [described, names] = await Promise.all([describeReviews(call, [post], can), namesOf(call, page.items)])
  const review = described.get(id)
  if (!review) throw new Error('A post has no review')
  const { comments: _, ...rest } = review
  return { ...page, post, items: page.items.map((row) => ({ ...row, by: personOf(row, names) })), ...rest }
}

/** @throws {Problem} 404 */
export async function readComments(call: ReadCall, { id, order = 'oldest', resolved, ...query }: CommentFilter) {
  const { db, actor } = call
  const post = await get(db, actor, id)
  const slice = commentOrders[order].slice(query)
  const { resolvedAt } = postComments
  const isWanted = resolved === undefined ? undefined : resolved ? isNotNull(resolvedAt) : isNull(resolvedAt)
  const rows = await db
    .select()
    .from(postComments)
    .where(and(eq(postComments.postId, id), isWanted, slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  const page = slice.page(rows)
  const can = await readPermissions(call)
  const comment = isPerson(actor) && can('posts:review', post.brandId)
  const shared = await listSharedPosts(db, [post])
  return {
    ...page,
    post,
    items: await presentComments(call, page.items),
    sharedWithGuests: shared.has(post.id),
    can: { comment },
  }
}

export async function presentComments(
  call: Pick<ReadCall, 'identity'>,
  rows: readonly (typeof postComments.$inferSelect)[],
) {
  const names = await namesOf(call, rows)
  return rows.map((row) => ({
    ...row,
    by: personOf(row, names),
    mentions: row.mentions.map((userId) => ({ userId, name: names.get(userId)?.name ?? null })),
  }))
}

export const namesOf = (
  { identity }: Pick<ReadCall, 'identity'>,
  rows: readonly { userId: string | null; mentions?: string[] }[],
): Promise<Names> =>
  identity.people([...new Set(rows.flatMap(({ userId, mentions = [] }) => [...(userId ? [userId] : []), ...mentions]))])
