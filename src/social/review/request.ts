import { and, eq, ne, or, sql } from 'drizzle-orm'
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

/**
 * Requests a review of a post and of the unpublished others of its thread and submission. Repeatable.
 * @throws {Problem} 404; 409 `not_reviewable` and `changes_requested`
 */
export async function requestReview(call: ChangeCall, id: string): Promise<PostRow> {
  const { db, actor } = call
  const seen = await get(db, actor, id)
  await lockPosts(db, isTogether(actor, seen))
  const post = await lockPost(db, actor, id)
  requireReviewable(post)
  if (post.reviewState === 'changes_requested')
    throw conflict(
      'changes_requested',
      'A reviewer requested changes. Change the post, which requests a review again, or ask them to approve it.',
    )
  const requested = await db
    .update(posts)
    .set({
      reviewState: 'requested',
      reviewStateAt: sql`clock_timestamp()`,
      reviewRequestedBy: actor.principal.id,
    })
    .where(and(isTogether(actor, post), eq(posts.reviewState, 'none'), ne(posts.status, 'published')))
    .returning()
  for (const one of requested) {
    recordChange(db, {
      object: 'post',
      id: one.id,
      before: { reviewState: 'none' },
      after: { reviewState: 'requested' },
    })
    await emitReviewRequested(db, call, one)
  }
  // A request changes no time.
  await publishPostChanges(
    call,
    requested.map((one) => ({ ...one, dueAt: null })),
  )
  if (requested.length > 0) await enqueueReviewActions(db, call, post.brandId)
  return requested.find((one) => one.id === id) ?? post
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
