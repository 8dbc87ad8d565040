import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { auditedJobTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { job, type JobDependencies } from '#lib/job.ts'
import { publishPostChanges } from '../posts/transitions.ts'
import { enqueueCheck } from '../readiness/jobs.ts'
import { brands, posts } from '../schema.ts'
import { enqueueReviewActions } from './actions.ts'
import { policyOf } from './policy.ts'
import { stateColumns } from './decide.ts'
import { lockWithThreads } from './lock-posts.ts'
import { listOpen, reviewStatusOf } from './review-status.ts'
import { schedulePlanned } from './schedule-planned.ts'

const Input = z.object({ brandId: Id })
const name = 'social.recheck-reviews'
const batchSize = 100

/** After a change of the policy: posts in review may no longer be approved, or now are. */
export const recheckReviews = job({
  name,
  input: Input,
  concurrency: 2,
  perTenant: { of: ({ brandId }) => brandId, concurrency: 1 },
  uniqueBy: ({ brandId }) => brandId,
  run: async (work) => {
    const { brandId } = work.input
    let after: string | null = null
    do
      after = await auditedJobTransaction(work.database, { operation: name, now: work.now }, (tx) =>
        recheckBatch(tx, work, { brandId, after }),
      )
    while (after !== null)
    await work.database.transaction((tx) => enqueueReviewActions(tx, work, brandId))
  },
})

/** On the transaction that changes the policy. */
export const enqueueRecheck = (db: Database, { queue }: Pick<Call, 'queue'>, brandId: string): Promise<void> =>
  queue.enqueue(db, recheckReviews, { brandId })

interface Batch {
  brandId: string
  /** The last post of the batch before. */
  after: string | null
}

const toRecheck = sql`(posts.review_state <> 'none' OR posts.status = 'scheduled') AND posts.status <> 'published'`

const lockBatch = (tx: Database, { brandId, after }: Batch) =>
  tx
    .select()
    .from(posts)
    .where(and(eq(posts.brandId, brandId), toRecheck, after ? gt(posts.id, after) : undefined))
    .orderBy(asc(posts.id))
    .limit(batchSize)
    .for('update')

/** Null after the last ones. */
async function recheckBatch(tx: Database, work: JobDependencies, { brandId, after }: Batch): Promise<string | null> {
  const [brand] = await tx.select({ policy: brands.reviewPolicy }).from(brands).where(eq(brands.id, brandId))
  const rows = await lockBatch(tx, { brandId, after })
  await lockWithThreads(tx, rows)
  const ids = rows.map(({ id }) => id)
  const open = Map.groupBy(ids.length > 0 ? await listOpen(tx, ids) : [], ({ postId }) => postId)
  const changed: string[] = []
  for (const post of rows) {
    const reviewStatus = reviewStatusOf(policyOf(brand?.policy), post, open.get(post.id) ?? [])
    const isFreed = reviewStatus.missing === 0 && post.waitingFor?.reason === 'approval_required'
    const isOther = post.reviewState !== 'none' && post.reviewState !== reviewStatus.state
    if (isFreed || isOther) {
      const [saved] = await tx
        .update(posts)
        .set(stateColumns(post, post.reviewState === 'none' ? { ...reviewStatus, state: 'none' } : reviewStatus))
        .where(eq(posts.id, post.id))
        .returning()
      changed.push(post.id)
      if (saved) await schedulePlanned({ ...work, db: tx }, post, saved, reviewStatus)
    }
    await enqueueCheck(tx, work, post)
  }
  const saved =
    changed.length > 0
      ? await tx
          .select({ id: posts.id, brandId: posts.brandId, dueAt: posts.dueAt })
          .from(posts)
          .where(inArray(posts.id, changed))
      : []
  await publishPostChanges({ db: tx, events: work.events }, saved)
  return rows.length === batchSize ? (ids.at(-1) ?? null) : null
}
