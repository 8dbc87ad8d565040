import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import * as brands from '../brands/brands.ts'
import { edit } from '../posts/changes.ts'
import { get, lockPost, type PostRow } from '../posts/posts.ts'
import { enqueueCheck } from '../readiness/jobs.ts'
import { postReviews, posts } from '../schema.ts'
import { enqueueReviewActions } from './actions.ts'
import { fingerprintOfPost } from './content.ts'
import { requireReviewable, saveState } from './decide.ts'
import { lockWithThreads } from './lock-posts.ts'
import { readReviewStatus, writersOf } from './review-status.ts'

type ReviewRow = typeof postReviews.$inferSelect
type RestoreCall = Call<unknown, Actor>

/**
 * Sets the text and first comment to those of the latest approval, which an edit voided. Decisions on exactly the content
 * that the post then has are valid again: files, account and settings that differ need another review.
 * @throws {Problem} 404, 409 `no_approved_text` and as an edit, 422 as an edit
 */
export const restoreText = (call: RestoreCall, { id, version }: { id: string; version?: number | undefined }) =>
  auditedTransaction(call, async (tx) => {
    const seen = await get(tx, call.actor, id)
    await lockWithThreads(tx, [seen])
    // A transfer revokes decisions: it waits for the end, or this for its end.
    await brands.hold(tx, call.actor, seen.brandId)
    const before = await lockPost(tx, call.actor, id)
    requireReviewable(before)
    const approved = await findVoidedApproval(tx, id)
    const { text, firstComment } = approved?.content ?? before
    if (text === before.text && firstComment === before.firstComment) throw nothingToRestore()
    const restoring = { ...call, db: tx }
    const restored = await edit(restoring, { id, text, firstComment, version })
    return reopenDecisions(restoring, before, restored)
  })

const nothingToRestore = () =>
  conflict('no_approved_text', 'No approved text of this post was changed, so there is nothing to restore.')

/** The latest approval, when an edit voided it. */
async function findVoidedApproval(tx: Database, postId: string): Promise<ReviewRow | undefined> {
  const [latest] = await tx
    .select()
    .from(postReviews)
    .where(and(eq(postReviews.postId, postId), eq(postReviews.decision, 'approve')))
    .orderBy(desc(postReviews.createdAt), desc(postReviews.id))
    .limit(1)
  return latest?.voidReason === 'edited' || latest?.voidReason === 'thread_changed' ? latest : undefined
}

/** The person who restored wrote none of it; who wrote it when it was approved is known from its decisions. */
async function reopenDecisions(call: RestoreCall, before: PostRow, { id }: PostRow): Promise<PostRow> {
  const { db, actor } = call
  const restored = await lockPost(db, actor, id)
  const decisions = await listReopenable(db, restored)
  if (decisions.length === 0) return restored
  await db
    .update(postReviews)
    .set({ voidedAt: null, voidReason: null })
    .where(
      inArray(
        postReviews.id,
        decisions.map((one) => one.id),
      ),
    )
  const writers = new Set([...writersOf(before), ...decisions.flatMap((one) => one.writers ?? [])])
  const [post = restored] = await db
    .update(posts)
    .set({ contentBy: before.contentBy, contentWriters: [...writers] })
    .where(eq(posts.id, id))
    .returning()
  const saved = await saveState(call, post, await readReviewStatus(db, post))
  const stateOf = ({ reviewState }: PostRow) => ({ reviewState })
  recordChange(db, { object: 'post', id, before: stateOf(restored), after: stateOf(saved) })
  await enqueueCheck(db, call, saved)
  await enqueueReviewActions(db, call, saved.brandId)
  return saved
}

/**
 * Approvals by members, voided by the edit of this very content. Not those of guests, whose links can be revoked, nor those
 * that an owner confirmed alone, when others may be able to review by now; and none where a reviewer requested changes.
 */
async function listReopenable(db: Database, post: PostRow): Promise<ReviewRow[]> {
  const onSameContent = and(
    eq(postReviews.postId, post.id),
    eq(postReviews.voidReason, 'edited'),
    eq(postReviews.fingerprint, fingerprintOfPost(post)),
  )
  const rows = await db
    .select()
    .from(postReviews)
    .where(onSameContent)
    .orderBy(desc(postReviews.createdAt), desc(postReviews.id))
  const latest = [...Map.groupBy(rows, ({ userId, linkId }) => userId ?? linkId).values()].flatMap(
    ([first]) => first ?? [],
  )
  if (latest.some(({ decision }) => decision === 'request_changes')) return []
  return latest.filter(({ userId, confirmedAlone, writers }) => userId !== null && !confirmedAlone && writers !== null)
}
