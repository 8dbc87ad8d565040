import { and, asc, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { type Actor, responsibleOf } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { emitReviewRequested } from '../events.ts'
import { publishPostChanges } from '../posts/transitions.ts'
import { enqueueCheck } from '../readiness/jobs.ts'
import { postReviews, posts } from '../schema.ts'
import { fingerprintOfPost } from './content.ts'
import { enqueueReviewActions } from './actions.ts'
import { isApprovedByOthers, writersOf } from './review-status.ts'

type PostRow = typeof posts.$inferSelect
type Changes = PgUpdateSetSource<typeof posts>

export const hasChangedContent = (before: PostRow, after: PostRow): boolean =>
  fingerprintOfPost(before) !== fingerprintOfPost(after)

/** The columns that change with the content of a post: its decisions no longer count. */
export const columnsAfterEdit = async (
  { db, actor }: Pick<Call<unknown, Actor>, 'db' | 'actor'>,
  before: PostRow,
): Promise<Changes> => ({
  contentBy: actor.principal.id,
  contentWriters: await listWriters(db, before, [actor.principal.id, responsibleOf(actor)]),
  ...columnsToReviewAgain(before),
})

const columnsToReviewAgain = (before: PostRow): Changes => ({
  ...(before.reviewState !== 'none' && {
    reviewState: 'requested' as const,
    ...(before.reviewState !== 'requested' && {
      reviewStateAt: sql`clock_timestamp()`,
      reviewRequestedBy: null,
    }),
  }),
})

/** Without an approval by others, earlier changes are still to be reviewed, by people who didn’t make them. */
async function listWriters(db: Database, before: PostRow, writers: readonly string[]): Promise<string[]> {
  const isReviewed = before.reviewState === 'approved' && (await isApprovedByOthers(db, before))
  const earlier = isReviewed ? [] : writersOf(before)
  return [...new Set([...earlier, ...writers])]
}

/** On the transaction of the edit. A post whose review was done is to be reviewed again. */
export async function voidDecisions(
  call: Pick<Call, 'db' | 'queue' | 'events' | 'now'>,
  before: PostRow,
  saved: PostRow,
): Promise<void> {
  await call.db
    .update(postReviews)
    .set({ voidedAt: sql`clock_timestamp()`, voidReason: 'edited' })
    .where(and(eq(postReviews.postId, saved.id), isNull(postReviews.voidedAt)))
  await announceReviewAgain(call, before, saved)
}

/** Also those that an edit voided: in another thread they aren't valid again with their content. */
async function voidDecisionsOfPart({ db }: Pick<Call, 'db'>, { id }: PostRow): Promise<void> {
  await db
    .update(postReviews)
    .set({ voidedAt: sql`coalesce(${postReviews.voidedAt}, clock_timestamp())`, voidReason: 'thread_changed' })
    .where(and(eq(postReviews.postId, id), or(isNull(postReviews.voidedAt), eq(postReviews.voidReason, 'edited'))))
}

async function announceReviewAgain(
  call: Pick<Call, 'db' | 'queue' | 'events' | 'now'>,
  before: PostRow,
  saved: PostRow,
): Promise<void> {
  if (before.reviewState === 'approved' || before.reviewState === 'changes_requested')
    await emitReviewRequested(call.db, call, saved)
  if (saved.reviewState !== 'none') await enqueueReviewActions(call.db, call, saved.brandId)
}

/** On the transaction that removes or restores a part, which holds the thread: the others are read differently then. */
export async function voidDecisionsOfThread(
  call: Pick<Call, 'db' | 'queue' | 'events' | 'now'>,
  threadId: string,
  exceptId?: string,
): Promise<void> {
  const { db } = call
  const parts = await db
    .select()
    .from(posts)
    .where(
      and(
        eq(posts.threadId, threadId),
        ne(posts.status, 'published'),
        ne(posts.reviewState, 'none'),
        exceptId ? ne(posts.id, exceptId) : undefined,
      ),
    )
    .orderBy(asc(posts.position))
  for (const part of parts) {
    const [saved = part] =
      part.reviewState === 'requested'
        ? [part]
        : await db.update(posts).set(columnsToReviewAgain(part)).where(eq(posts.id, part.id)).returning()
    await voidDecisionsOfPart(call, saved)
    await announceReviewAgain(call, part, saved)
    await publishPostChanges(call, [saved])
    await enqueueCheck(db, call, saved)
  }
}
