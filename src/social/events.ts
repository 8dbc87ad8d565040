import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { emitWebhook, type EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { webhookEvent } from '#lib/outgoing-webhooks/event.ts'
import { Timestamp } from '#lib/time.ts'
import { PostReviewState, ReviewDecision } from './contract.ts'
import {
  brands,
  type connections,
  type firstComments,
  type postCorrections,
  type postReviews,
  type posts,
} from './schema.ts'

type PostRow = typeof posts.$inferSelect
type ConnectionRow = Pick<typeof connections.$inferSelect, 'id' | 'brandId' | 'provider' | 'name'>

const PostReference = z.object({ postId: Id, brandId: Id, provider: z.string(), threadId: Id.nullable() })

const postPublished = webhookEvent({
  type: 'post.published',
  summary: 'A post was published',
  permission: 'posts:read',
  data: PostReference.extend({
    platformPostId: z.string().nullable(),
    permalink: z.string().nullable(),
    publishedAt: Timestamp.nullable(),
  }),
})

const postFailed = webhookEvent({
  type: 'post.failed',
  summary: 'A post failed, or we couldn’t confirm that it was published',
  permission: 'posts:read',
  data: PostReference.extend({
    code: z.string().nullable(),
    message: z.string().nullable(),
    retryable: z.boolean().nullable(),
    failedAt: Timestamp.nullable(),
  }),
})

const CommentReference = z.object({ postId: Id, brandId: Id, provider: z.string() })

const commentPublished = webhookEvent({
  type: 'post.comment_published',
  summary: 'The first comment of a post was written',
  permission: 'posts:read',
  data: CommentReference.extend({ platformCommentId: z.string().nullable(), publishedAt: Timestamp.nullable() }),
})

const commentFailed = webhookEvent({
  type: 'post.comment_failed',
  summary: 'The first comment of a post failed, or we couldn’t confirm that it was written',
  permission: 'posts:read',
  data: CommentReference.extend({
    code: z.string().nullable(),
    message: z.string().nullable(),
    retryable: z.boolean().nullable(),
    failedAt: Timestamp.nullable(),
  }),
})

const postCorrected = webhookEvent({
  type: 'post.corrected',
  summary: 'The text of a published post was corrected on its network',
  permission: 'posts:read',
  data: PostReference.extend({
    correctionId: Id,
    formerText: z.string(),
    text: z.string(),
    reason: z.string().nullable(),
    correctedAt: Timestamp.nullable(),
  }),
})

const correctionFailed = webhookEvent({
  type: 'post.correction_failed',
  summary: 'The correction of a published post failed, or we couldn’t confirm it',
  permission: 'posts:read',
  data: PostReference.extend({
    correctionId: Id,
    code: z.string().nullable(),
    message: z.string().nullable(),
    failedAt: Timestamp.nullable(),
  }),
})

const connectionNeedsAttention = webhookEvent({
  type: 'connection.needs_attention',
  summary: 'An account needs to be reconnected',
  permission: 'accounts:read',
  data: z.object({ connectionId: Id, brandId: Id, provider: z.string(), name: z.string() }),
})

const ReviewReference = z.object({ postId: Id, brandId: Id, provider: z.string() })

const reviewRequested = webhookEvent({
  type: 'review.requested',
  summary: 'A review of a post was requested',
  permission: 'posts:read',
  data: ReviewReference.extend({ requestedBy: Id.nullable().describe('Null when an edit voided its approvals.') }),
})

const reviewDecided = webhookEvent({
  type: 'review.decided',
  summary: 'A reviewer approved a post or requested changes',
  permission: 'posts:read',
  data: ReviewReference.extend({
    reviewId: Id,
    decision: ReviewDecision,
    comment: z.string().nullable(),
    userId: Id.nullable().describe('Null for a guest.'),
    guestName: z.string().nullable(),
    reviewState: PostReviewState,
    decidedAt: Timestamp,
  }),
})

export const socialEvents = [
  postPublished,
  postFailed,
  commentPublished,
  commentFailed,
  postCorrected,
  correctionFailed,
  connectionNeedsAttention,
  reviewRequested,
  reviewDecided,
] as const

/** Nothing for a post that is still to be published. */
export async function emitSettled(tx: Database, emitting: EmitDependencies, post: PostRow): Promise<void> {
  const { id: postId, brandId, provider, threadId } = post
  const reference = { postId, brandId, provider, threadId }
  const organizationId = await organizationOfBrand(tx, brandId)
  if (post.status === 'published') {
    const { platformPostId, permalink, publishedAt } = post
    const data = { ...reference, platformPostId, permalink, publishedAt }
    await emitWebhook(tx, emitting, { organizationId, event: postPublished, data })
  }
  if (post.status === 'failed') {
    const { failureCode: code, failureMessage: message, failureRetryable: retryable, failedAt } = post
    const data = { ...reference, code, message, retryable, failedAt }
    await emitWebhook(tx, emitting, { organizationId, event: postFailed, data })
  }
}

/** Nothing for a first comment that is still to be written. */
export async function emitComment(
  tx: Database,
  emitting: EmitDependencies,
  comment: typeof firstComments.$inferSelect,
): Promise<void> {
  const { id: postId, brandId, provider, state, settledAt } = comment
  if (!settledAt) return
  const reference = { postId, brandId, provider }
  const organizationId = await organizationOfBrand(tx, brandId)
  if (state === 'published') {
    const data = { ...reference, platformCommentId: comment.platformCommentId, publishedAt: settledAt }
    return emitWebhook(tx, emitting, { organizationId, event: commentPublished, data })
  }
  const { failureCode: code, failureMessage: message, failureRetryable: retryable } = comment
  const data = { ...reference, code, message, retryable, failedAt: settledAt }
  await emitWebhook(tx, emitting, { organizationId, event: commentFailed, data })
}

/** Nothing for a correction that is still being sent. */
export async function emitCorrection(
  tx: Database,
  emitting: EmitDependencies,
  { post, correction }: { post: PostRow; correction: typeof postCorrections.$inferSelect },
): Promise<void> {
  const { id: postId, brandId, provider, threadId } = post
  const { id: correctionId, state, formerText, text, reason, settledAt } = correction
  if (!settledAt) return
  const reference = { postId, brandId, provider, threadId, correctionId }
  const organizationId = await organizationOfBrand(tx, brandId)
  if (state === 'corrected') {
    const data = { ...reference, formerText, text, reason, correctedAt: settledAt }
    return emitWebhook(tx, emitting, { organizationId, event: postCorrected, data })
  }
  const { failureCode: code, failureMessage: message } = correction
  const data = { ...reference, code, message, failedAt: settledAt }
  await emitWebhook(tx, emitting, { organizationId, event: correctionFailed, data })
}

export async function emitSignedOut(
  tx: Database,
  emitting: EmitDependencies,
  connection: ConnectionRow,
): Promise<void> {
  const { id: connectionId, brandId, provider, name } = connection
  const organizationId = await organizationOfBrand(tx, brandId)
  const data = { connectionId, brandId, provider, name }
  await emitWebhook(tx, emitting, { organizationId, event: connectionNeedsAttention, data })
}

export async function emitReviewRequested(
  tx: Database,
  emitting: EmitDependencies,
  { id: postId, brandId, provider, reviewRequestedBy: requestedBy }: PostRow,
): Promise<void> {
  const organizationId = await organizationOfBrand(tx, brandId)
  const data = { postId, brandId, provider, requestedBy }
  await emitWebhook(tx, emitting, { organizationId, event: reviewRequested, data })
}

export async function emitReviewDecided(
  tx: Database,
  emitting: EmitDependencies,
  { post, review }: { post: PostRow; review: typeof postReviews.$inferSelect },
): Promise<void> {
  const { id: postId, brandId, provider, reviewState } = post
  const { id: reviewId, decision, comment, userId, guestName, createdAt: decidedAt } = review
  const organizationId = await organizationOfBrand(tx, brandId)
  const decided = { reviewId, decision, comment, userId, guestName, reviewState, decidedAt }
  await emitWebhook(tx, emitting, {
    organizationId,
    event: reviewDecided,
    data: { postId, brandId, provider, ...decided },
  })
}

async function organizationOfBrand(tx: Database, brandId: string): Promise<string> {
  const [row] = await tx.select({ id: brands.organizationId }).from(brands).where(eq(brands.id, brandId))
  if (!row) throw new Error('A brand was deleted while the outcome of one of its posts was being stored')
  return row.id
}
