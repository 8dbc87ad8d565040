import { and, eq, isNull, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import type { PostReviewState, ReviewDecision } from '../contract.ts'
import { emitReviewDecided } from '../events.ts'
import { publishPostChanges } from '../posts/transitions.ts'
import { postReviews, posts } from '../schema.ts'
import { contentOf, fingerprintOf } from './content.ts'
import { columnsOf, type Reviewer } from './reviewer.ts'
import { type PlanOutcome, schedulePlanned } from './schedule-planned.ts'
import { readReviewStatus, type ReviewStatus, writersOf } from './review-status.ts'

type PostRow = typeof posts.$inferSelect
type ReviewRow = typeof postReviews.$inferSelect

/** Without an actor: guests have none. */
export type ReviewCall = Pick<Call, 'db' | 'events' | 'queue' | 'now' | 'config'>

export interface DecisionInput {
  decision: ReviewDecision
  comment?: string | null
  /** By the owner with a second factor, since no one else could approve the post. */
  confirmedAlone?: boolean
}

export interface Decided {
  review: ReviewRow
  post: PostRow
  reviewStatus: ReviewStatus
  /** What the decision did to the planned time. */
  plan: PlanOutcome
  /** The reviewer's open decision was already this one: nothing was stored, and nothing is announced. */
  isRepeated: boolean
}

/**
 * Replaces the reviewer's earlier decision on the post. Who may decide is checked before.
 * `post` is locked `FOR UPDATE` in this transaction: edits and other decisions wait for its end.
 * @throws {Problem} 409 `not_reviewable` for a published post
 */
export async function decide(
  call: ReviewCall,
  reviewer: Reviewer,
  post: PostRow,
  input: DecisionInput,
): Promise<Decided> {
  requireReviewable(post)
  const open = isOpenOf(reviewer, post)
  const [earlier] = await call.db.select().from(postReviews).where(open)
  if (earlier && isSame(earlier, post, input)) return repeat(call, earlier, post)
  if (earlier)
    await call.db
      .update(postReviews)
      .set({ voidedAt: sql`clock_timestamp()`, voidReason: 'decided_again' })
      .where(open)
  const review = await store(call.db, reviewer, post, input)
  const reviewStatus = await readReviewStatus(call.db, post)
  const { saved, plan } = await savePlanned(call, post, reviewStatus)
  await emitReviewDecided(call.db, call, { post: saved, review })
  return { review, post: saved, reviewStatus, plan, isRepeated: false }
}

/** The state is stored again where the policy has changed since. */
async function repeat(call: ReviewCall, review: ReviewRow, post: PostRow): Promise<Decided> {
  const reviewStatus = await readReviewStatus(call.db, post)
  if (reviewStatus.state === post.reviewState) return { review, post, reviewStatus, plan: null, isRepeated: true }
  const { saved, plan } = await savePlanned(call, post, reviewStatus)
  return { review, post: saved, reviewStatus, plan, isRepeated: true }
}

async function savePlanned(call: ReviewCall, post: PostRow, reviewStatus: ReviewStatus) {
  const reviewed = await saveState(call, post, reviewStatus)
  const { post: saved, outcome } = await schedulePlanned(call, post, reviewed, reviewStatus)
  return { saved, plan: outcome }
}

const isSame = (
  earlier: ReviewRow,
  post: PostRow,
  { decision, comment = null, confirmedAlone = false }: DecisionInput,
): boolean =>
  earlier.decision === decision &&
  earlier.comment === comment &&
  earlier.confirmedAlone === confirmedAlone &&
  earlier.fingerprint === fingerprintOf(contentOf(post))

async function store(
  db: Database,
  reviewer: Reviewer,
  post: PostRow,
  { decision, comment = null, confirmedAlone = false }: DecisionInput,
): Promise<ReviewRow> {
  const content = contentOf(post)
  const [review] = await db
    .insert(postReviews)
    .values({
      brandId: post.brandId,
      postId: post.id,
      ...columnsOf(reviewer),
      decision,
      comment,
      content,
      fingerprint: fingerprintOf(content),
      postVersion: post.version,
      writers: writersOf(post),
      confirmedAlone,
      // Of one transaction several, such as those of a group.
      createdAt: sql`clock_timestamp()`,
    })
    .returning()
  if (!review) throw new Error('A decision was not stored')
  return review
}

const isOpenOf = (reviewer: Reviewer, { id }: PostRow) =>
  and(
    eq(postReviews.postId, id),
    isNull(postReviews.voidedAt),
    reviewer.kind === 'user' ? eq(postReviews.userId, reviewer.id) : eq(postReviews.linkId, reviewer.linkId),
  )

/** @throws {Problem} 409 `not_reviewable` */
export function requireReviewable({ status }: Pick<PostRow, 'status'>): void {
  if (status === 'published') throw conflict('not_reviewable', 'This post is already published.')
}

/** A post that waits for its approval is due again once it has it. */
export const stateColumns = (
  post: PostRow,
  { state, missing }: { state: PostReviewState; missing: number },
): PgUpdateSetSource<typeof posts> => ({
  reviewState: state,
  ...(state !== post.reviewState && { reviewStateAt: sql`clock_timestamp()` }),
  ...(missing === 0 &&
    post.waitingFor?.reason === 'approval_required' && {
      dueAt: sql`greatest(${posts.scheduledAt}, clock_timestamp())`,
      waitingFor: null,
    }),
})

/** Of a thread that waits for the approval of this part. */
async function wakeHead(db: Database, { id, threadId }: PostRow): Promise<PostRow[]> {
  if (!threadId) return []
  const waits = sql`${posts.waitingFor} ->> 'reason' = 'approval_required' AND ${posts.waitingFor} ->> 'postId' = ${id}`
  return db
    .update(posts)
    .set({ dueAt: sql`greatest(${posts.scheduledAt}, clock_timestamp())`, waitingFor: null })
    .where(and(eq(posts.threadId, threadId), waits))
    .returning()
}

/** The transaction holds the post, and its thread. */
export async function saveState(
  call: Pick<ReviewCall, 'db' | 'events'>,
  post: PostRow,
  reviewStatus: ReviewStatus,
): Promise<PostRow> {
  const { db } = call
  const [saved] = await db.update(posts).set(stateColumns(post, reviewStatus)).where(eq(posts.id, post.id)).returning()
  if (!saved) throw new Error('A held post was not found')
  await publishPostChanges(call, [saved, ...(reviewStatus.missing === 0 ? await wakeHead(db, saved) : [])])
  return saved
}
