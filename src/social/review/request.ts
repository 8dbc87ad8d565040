import { and, asc, eq, isNotNull, ne, or, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { conflict } from '#lib/errors.ts'
import { testKeyNetwork } from '../access.ts'
import type { ChangeCall } from '../change-call.ts'
import { emitReviewRequested } from '../events.ts'
import { get, lockPost, type PostRow } from '../posts/posts.ts'
import { publishPostChanges } from '../posts/transitions.ts'
import { posts } from '../schema.ts'
import { enqueueReviewActions } from './actions.ts'
import { requireReviewable } from './decide.ts'
import { lockPosts } from './lock-posts.ts'
import { readReviewStatus } from './review-status.ts'
import { schedulePlanned } from './schedule-planned.ts'

/** The columns of a post whose review is requested. */
export const asRequested = ({ principal }: Actor) => ({
  reviewState: 'requested' as const,
  reviewStateAt: sql`clock_timestamp()`,
  reviewRequestedBy: principal.id,
})

/** On the transaction that requests the reviews of these posts. */
export async function announceRequests(call: ChangeCall, requested: readonly PostRow[]): Promise<void> {
  for (const one of requested) await emitReviewRequested(call.db, call, one)
  const [first] = requested
  if (first) await enqueueReviewActions(call.db, call, first.brandId)
}

/** Before one of them is edited, so that two requests don't wait for each other. @throws {Problem} 404 */
export async function lockTogether({ db, actor }: ChangeCall, id: string): Promise<void> {
  await lockPosts(db, isTogether(actor, await get(db, actor, id)))
}

/**
 * Requests a review of a post and of the unpublished others of its thread and submission. Repeatable. Those that are already
 * approved are scheduled for their planned time.
 * @throws {Problem} 404; 409 `not_reviewable` and `changes_requested`
 */
export async function requestReview(call: ChangeCall, id: string): Promise<PostRow> {
  const { db, actor } = call
  await lockTogether(call, id)
  const post = await lockPost(db, actor, id)
  requireReviewable(post)
  if (post.reviewState === 'changes_requested')
    throw conflict(
      'changes_requested',
      'A reviewer requested changes. Change the post, which requests a review again, or ask them to approve it.',
    )
  const requested = await db
    .update(posts)
    .set(asRequested(actor))
    .where(and(isTogether(actor, post), eq(posts.reviewState, 'none'), ne(posts.status, 'published')))
    .returning()
  for (const { id: postId } of requested)
    recordChange(db, {
      object: 'post',
      id: postId,
      before: { reviewState: 'none' },
      after: { reviewState: 'requested' },
    })
  // A request changes no time.
  await publishPostChanges(
    call,
    requested.map((one) => ({ ...one, dueAt: null })),
  )
  await announceRequests(call, requested)
  if (requested.length > 0) return requested.find((one) => one.id === id) ?? post
  await scheduleApproved(call, post)
  return lockPost(db, actor, id)
}

/** Approved before anyone requested it, or before they had a time. */
async function scheduleApproved(call: ChangeCall, post: PostRow): Promise<void> {
  const { db, actor } = call
  const isPlanned = and(eq(posts.status, 'draft'), eq(posts.reviewState, 'approved'), isNotNull(posts.scheduledAt))
  const ofTogether = and(isTogether(actor, post), isPlanned)
  for (const { id } of await db.select({ id: posts.id }).from(posts).where(ofTogether).orderBy(asc(posts.id))) {
    const draft = await lockPost(db, actor, id)
    await schedulePlanned(call, { reviewState: 'requested' }, draft, await readReviewStatus(db, draft))
  }
}

/** The post, its thread and its submission, on networks that the actor can use. */
const isTogether = (actor: Actor, { id, brandId, threadId, groupId }: PostRow) =>
  and(
    eq(posts.brandId, brandId),
    actor.credential.test ? eq(posts.provider, testKeyNetwork) : undefined,
    or(
      eq(posts.id, id),
      threadId ? eq(posts.threadId, threadId) : undefined,
      groupId ? eq(posts.groupId, groupId) : undefined,
    ),
  )
