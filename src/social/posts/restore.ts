import { and, eq, getTableColumns, sql, type SQLWrapper } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import { z } from 'zod'
import { recordChange } from '#lib/audit.ts'
import { databaseTime, type Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import type { ChangeCall } from '../change-call.ts'
import { explainAbsence, requireNetworkAccess, withinTenant } from '../access.ts'
import { PostMedia, PostStatus, Provider } from '../contract.ts'
import { getMediaById } from '../media/in-posts.ts'
import { connections, deletedPosts, postComments, postReviews, posts, publishAttempts } from '../schema.ts'
import { enqueueActions } from '../raised/update-actions.ts'
import { enqueueReviewActions } from '../review/actions.ts'
import { stateColumns } from '../review/decide.ts'
import { voidDecisionsOfThread } from '../review/edits.ts'
import { findMissing } from '../review/gate.ts'
import { readReviewStatus } from '../review/review-status.ts'
import { voidDecisionsOfRevokedLinks } from '../review/revoke-decisions.ts'
import { enqueueCheck } from '../readiness/jobs.ts'
import { auditedFields, get, type PostRow } from './posts.ts'
import { openGap } from './threads.ts'
import { asDraft, publishPostChanges } from './transitions.ts'

/** How long a deleted post can be restored. */
const restorableMs = 10 * 60_000

/** Deletes a post with its attempts and its review, and keeps copies for `restore`. */
export async function moveToDeleted(db: Database, id: string): Promise<void> {
  const rowsOf = (table: SQLWrapper) =>
    sql`(SELECT coalesce(jsonb_agg(to_jsonb(a)), '[]') FROM ${table} a WHERE a.post_id = p.id)`
  await db.execute(sql`
    INSERT INTO ${deletedPosts} (id, brand_id, post, attempts, reviews, comments, deleted_at)
    SELECT p.id, p.brand_id, to_jsonb(p), ${rowsOf(publishAttempts)}, ${rowsOf(postReviews)}, ${rowsOf(postComments)},
      clock_timestamp() FROM ${posts} p WHERE p.id = ${id}`)
  await db.delete(posts).where(eq(posts.id, id))
}

/** The columns of a deleted post on which its state after restoring depends. */
const Stored = z.looseObject({
  brand_id: z.string(),
  provider: Provider,
  status: PostStatus,
  thread_id: z.string().nullable(),
  media: z.array(PostMedia),
  scheduled_at: z.string().nullable(),
  version: z.int(),
})
type Stored = z.infer<typeof Stored>

/**
 * Restores a deleted post at its place in its thread. A scheduled one becomes a draft when its time has passed, its
 * images were deleted, or it isn't approved.
 * @throws {Problem} 404, and 409 `restore_expired` after ten minutes
 */
export async function restore(call: ChangeCall, id: string): Promise<{ post: PostRow; wasScheduled: boolean }> {
  const { db, actor } = call
  const own = and(eq(deletedPosts.id, id), withinTenant(db, actor, deletedPosts.brandId))
  const [deleted] = await db.delete(deletedPosts).where(own).returning()
  if (!deleted) throw await explainAbsence(db, actor, 'deleted post', brandOfDeleted(db, id))
  const now = await databaseTime(db)
  if (now.getTime() - deleted.deletedAt.getTime() > restorableMs)
    throw conflict('restore_expired', 'A deleted post can only be restored within 10 minutes.')
  const stored = Stored.parse(deleted.post)
  requireNetworkAccess(actor, stored.provider)
  const gap = stored.thread_id ? await openGap(db, stored.thread_id, deleted.id) : null
  const changes = {
    ...(gap ? { position: gap.position } : { thread_id: null, position: 0 }),
    ...(await stateOf(db, stored, now)),
    version: stored.version + 1,
    updated_at: now,
  }
  await insertPost(db, { ...stored, ...changes })
  await insertAttempts(db, deleted.attempts)
  await insertRows(db, postReviews, deleted.reviews)
  await insertRows(db, postComments, deleted.comments)
  await voidDecisionsOfRevokedLinks(db, id)
  if (gap && stored.thread_id) await voidDecisionsOfThread(call, stored.thread_id, id)
  const post = await reviewAgain(db, await get(db, actor, id))
  recordChange(db, { object: 'post', id, after: auditedFields(post) })
  await publishPostChanges(call, [post, ...(gap?.moved ?? [])])
  await enqueueCheck(db, call, post)
  if (post.status === 'failed') await enqueueActions(db, call, post)
  if (post.reviewState === 'requested') await enqueueReviewActions(db, call, post.brandId)
  return { post, wasScheduled: stored.status === 'scheduled' }
}

/** Without some of its files it is other content, and the policy can have changed. An unapproved post is not scheduled (SOC-49). */
async function reviewAgain(db: Database, post: PostRow): Promise<PostRow> {
  const reviewed = post.reviewState === 'none' ? {} : stateColumns(post, await readReviewStatus(db, post))
  const isUnapproved = post.status === 'scheduled' && (await findMissing(db, post)) !== null
  const [saved = post] = await db
    .update(posts)
    .set({ reviewState: post.reviewState, ...reviewed, ...(isUnapproved && asDraft) })
    .where(eq(posts.id, post.id))
    .returning()
  return saved
}

const brandOfDeleted = (db: Database, id: string) =>
  db.select({ id: deletedPosts.brandId }).from(deletedPosts).where(eq(deletedPosts.id, id))

/** The columns of images and schedule. */
async function stateOf(db: Database, { brand_id, media, status, scheduled_at }: Stored, now: Date) {
  const existing = await getMediaById(db, brand_id, media)
  const left = media.filter(({ mediaId }) => existing.has(mediaId))
  const unclaimed = { media: left, lease_owner: null, waiting_for: null, rate_limited_since: null }
  if (status !== 'scheduled') return unclaimed
  const isOnTime = scheduled_at !== null && new Date(scheduled_at) > now && left.length === media.length
  return isOnTime
    ? { ...unclaimed, due_at: scheduled_at }
    : { ...unclaimed, status: 'draft', scheduled_at: null, due_at: null }
}

/** All but the generated column. */
const { sortAt: _, ...stored } = getTableColumns(posts)
const columnNames = sql.join(
  Object.keys(stored).map((name) => sql.identifier(toSnakeCase(name))),
  sql`, `,
)

/**
 * The row has the columns of the release that deleted the post: columns added since are null. A new NOT NULL column needs a
 * value here, since its default doesn't apply to an explicit null.
 */
const insertPost = (db: Database, row: object) =>
  db.execute(sql`
    INSERT INTO ${posts} (${columnNames})
    SELECT ${columnNames} FROM jsonb_populate_record(null::${posts}, ${JSON.stringify(row)}::jsonb)`)

/** Without attempts of accounts that were disconnected since. */
const insertAttempts = (db: Database, rows: unknown) =>
  db.execute(sql`
    INSERT INTO ${publishAttempts}
    SELECT r.* FROM jsonb_populate_recordset(null::${publishAttempts}, ${JSON.stringify(rows)}::jsonb) r
    WHERE r.connection_id IN (SELECT id FROM ${connections})`)

const insertRows = (db: Database, table: typeof postReviews | typeof postComments, rows: unknown) =>
  db.execute(sql`
    INSERT INTO ${table} SELECT r.* FROM jsonb_populate_recordset(null::${table}, ${JSON.stringify(rows)}::jsonb) r`)
