import { and, eq, exists, isNotNull, isNull, ne, notExists, type SQL, sql } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { publishPostChanges } from '../posts/transitions.ts'
import { enqueueCheck } from '../readiness/jobs.ts'
import { deletedPosts, postReviews, posts, reviewLinks } from '../schema.ts'
import { enqueueReviewActions } from './actions.ts'
import { stateColumns } from './decide.ts'
import { lockPosts } from './lock-posts.ts'
import { enqueueRecheck } from './recheck.ts'
import { readReviewStatus } from './review-status.ts'

type RevokeCall = Pick<Call, 'events' | 'queue' | 'now'>

const revoked = { voidedAt: sql`clock_timestamp()`, voidReason: 'revoked' as const }

/** On the transaction that holds the revoked link: what was decided with it no longer counts for posts to be published. */
export async function voidDecisionsOfLink(
  tx: Database,
  call: RevokeCall,
  { id, brandId }: { id: string; brandId: string },
): Promise<void> {
  const ofLink = and(eq(postReviews.brandId, brandId), isNotNull(postReviews.linkId), eq(postReviews.linkId, id))
  const decided = await lockDecided(tx, brandId, ofLink)
  for (const post of decided) {
    await tx
      .update(postReviews)
      .set(revoked)
      .where(and(ofLink, eq(postReviews.postId, post.id), isNull(postReviews.voidedAt)))
    const reviewStatus = await readReviewStatus(tx, post)
    const [saved = post] = await tx
      .update(posts)
      .set(stateColumns(post, reviewStatus))
      .where(eq(posts.id, post.id))
      .returning()
    await publishPostChanges({ db: tx, events: call.events }, [saved])
    await enqueueCheck(tx, call, saved)
  }
  if (decided.length > 0) await enqueueReviewActions(tx, call, brandId)
}

/** Before the brand is locked, as everything that decides does: decisions then wait for the end of the transaction. */
export const lockReviewedPosts = (tx: Database, brandId: string) =>
  lockDecided(tx, brandId, eq(postReviews.brandId, brandId))

/** On the transaction that holds the brand: its next organization decides itself. States are computed by a job. */
export async function voidDecisionsOfBrand(tx: Database, call: Pick<Call, 'queue'>, brandId: string): Promise<void> {
  const unpublished = tx
    .select({ id: posts.id })
    .from(posts)
    .where(and(eq(posts.id, postReviews.postId), ne(posts.status, 'published')))
  const voided = await tx
    .update(postReviews)
    .set(revoked)
    .where(and(eq(postReviews.brandId, brandId), isNull(postReviews.voidedAt), exists(unpublished)))
    .returning({ id: postReviews.id })
  // Nor are they valid again when the approved text is restored.
  await tx
    .update(postReviews)
    .set({ voidReason: 'revoked' })
    .where(and(eq(postReviews.brandId, brandId), eq(postReviews.voidReason, 'edited'), exists(unpublished)))
  await tx
    .update(deletedPosts)
    .set({
      reviews: sql`(
        SELECT coalesce(jsonb_agg(CASE WHEN r ->> 'voided_at' IS NULL OR r ->> 'void_reason' = 'edited'
          THEN r || jsonb_build_object('voided_at', clock_timestamp(), 'void_reason', 'revoked') ELSE r END), '[]')
        FROM jsonb_array_elements(${deletedPosts.reviews}) r)`,
    })
    .where(eq(deletedPosts.brandId, brandId))
  if (voided.length > 0) await enqueueRecheck(tx, call, brandId)
}

/** Of a restored post: links can have been revoked or deleted while it was deleted. */
export async function voidDecisionsOfRevokedLinks(tx: Database, postId: string): Promise<void> {
  const active = tx
    .select({ id: reviewLinks.id })
    .from(reviewLinks)
    .where(and(eq(reviewLinks.id, postReviews.linkId), isNull(reviewLinks.revokedAt)))
  await tx
    .update(postReviews)
    .set(revoked)
    .where(
      and(
        eq(postReviews.postId, postId),
        isNotNull(postReviews.linkId),
        isNull(postReviews.voidedAt),
        notExists(active),
      ),
    )
}

const lockDecided = (tx: Database, brandId: string, which: SQL | undefined) =>
  lockPosts(
    tx,
    and(
      eq(posts.brandId, brandId),
      ne(posts.status, 'published'),
      exists(
        tx
          .select({ id: postReviews.id })
          .from(postReviews)
          .where(and(which, eq(postReviews.postId, posts.id), isNull(postReviews.voidedAt))),
      ),
    ),
  )
