import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { publishPostChanges } from '../posts/transitions.ts'
import { postComments, type posts } from '../schema.ts'
import type { ReviewCall } from './decide.ts'
import { columnsOf, type Reviewer } from './reviewer.ts'

type PostRow = typeof posts.$inferSelect
export type CommentRow = typeof postComments.$inferSelect

export interface CommentInput {
  text: string
  quote?: string | null
  /** Members who can read the brand. */
  mentions?: readonly string[]
}

/** `post` was read in this transaction. Who may comment is checked before. */
export async function addComment(
  call: ReviewCall,
  author: Reviewer,
  post: Pick<PostRow, 'id' | 'brandId' | 'dueAt'>,
  { text, quote = null, mentions = [] }: CommentInput,
): Promise<CommentRow> {
  const [comment] = await call.db
    .insert(postComments)
    .values({ brandId: post.brandId, postId: post.id, ...columnsOf(author), text, quote, mentions: [...mentions] })
    .returning()
  if (!comment) throw new Error('A comment was not stored')
  await publishPostChanges(call, [{ ...post, dueAt: null }])
  return comment
}

/** Repeatable. @throws {Problem} 404 */
export async function resolveComment(
  call: ReviewCall,
  post: Pick<PostRow, 'id' | 'brandId'>,
  { commentId, userId, resolved }: { commentId: string; userId: string; resolved: boolean },
): Promise<{ before: CommentRow; after: CommentRow }> {
  const own = and(eq(postComments.id, commentId), eq(postComments.postId, post.id))
  const [before] = await call.db.select().from(postComments).where(own).for('update')
  if (!before) throw notFound('comment')
  const isAlready = (before.resolvedAt !== null) === resolved
  if (isAlready) return { before, after: before }
  const [after = before] = await call.db
    .update(postComments)
    .set(resolved ? { resolvedAt: sql`clock_timestamp()`, resolvedBy: userId } : { resolvedAt: null, resolvedBy: null })
    .where(own)
    .returning()
  await publishPostChanges(call, [{ ...post, dueAt: null }])
  return { before, after }
}

export const countComments = (db: Database, postId: string): Promise<number> =>
  db.$count(postComments, eq(postComments.postId, postId))

export const countCommentsOfGuests = (db: Database, postId: string): Promise<number> =>
  db.$count(postComments, and(eq(postComments.postId, postId), isNotNull(postComments.linkId)))

/** Per post. */
export const maxComments = 500
/** Of these by guests of all links: the team can always write some. */
export const maxGuestComments = 200
