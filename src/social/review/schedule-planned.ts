import { and, asc, eq, ne } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { databaseTime, type Database } from '#lib/db.ts'
import { validateForNetwork } from '../posts/checks.ts'
import { nextVersion } from '../posts/next-version.ts'
import { asScheduled, publishPostChanges } from '../posts/transitions.ts'
import { keepBase } from '../posts/unsaved/keep-base.ts'
import { enqueueCheck } from '../readiness/jobs.ts'
import { brands, posts } from '../schema.ts'
import type { ReviewStatus } from './review-status.ts'

type PostRow = typeof posts.$inferSelect
export type PlanCall = Pick<Call, 'db' | 'events' | 'queue' | 'now' | 'config'>

/**
 * What became of the planned time of a draft whose last approval arrived; null where nothing was planned or is missing, and
 * `incomplete` for a thread of which some parts have no time.
 */
export type PlanOutcome = 'scheduled' | 'incomplete' | 'passed' | 'refused' | null

interface Planned {
  post: PostRow
  outcome: PlanOutcome
}

/**
 * Schedules a draft for its planned time once it has the approvals that its brand requires, and its whole thread at once,
 * so that none is published in part. The transaction holds the post and its thread.
 */
export async function schedulePlanned(
  call: PlanCall,
  before: Pick<PostRow, 'reviewState'>,
  post: PostRow,
  { needed, missing }: Pick<ReviewStatus, 'needed' | 'missing'>,
): Promise<Planned> {
  const isComplete = needed > 0 && missing === 0 && post.reviewState === 'approved'
  // A draft whose review no one requested isn't finished.
  const wasRequested = before.reviewState === 'requested' || before.reviewState === 'changes_requested'
  if (!isComplete || !wasRequested || post.status !== 'draft') return { post, outcome: null }
  const drafts = [post, ...(await listOtherDrafts(call.db, post))]
  const isPlanned = drafts.some(({ scheduledAt }) => scheduledAt !== null)
  if (!isPlanned || drafts.some(({ reviewState }) => reviewState !== 'approved')) return { post, outcome: null }
  if (drafts.some(({ scheduledAt }) => scheduledAt === null)) return { post, outcome: 'incomplete' }
  const now = await databaseTime(call.db)
  if (drafts.some(({ scheduledAt }) => scheduledAt !== null && scheduledAt <= now)) return { post, outcome: 'passed' }
  for (const draft of drafts)
    if ((await validateForNetwork(call, draft)).length > 0) return { post, outcome: 'refused' }
  const scheduled = []
  for (const draft of drafts) scheduled.push(await schedule(call, draft))
  return { post: scheduled[0] ?? post, outcome: 'scheduled' }
}

/** The other drafts of its thread. */
async function listOtherDrafts(db: Database, { id, threadId }: PostRow): Promise<PostRow[]> {
  if (!threadId) return []
  return db
    .select()
    .from(posts)
    .where(and(eq(posts.threadId, threadId), eq(posts.status, 'draft'), ne(posts.id, id)))
    .orderBy(asc(posts.position))
}

async function schedule(call: PlanCall, draft: PostRow): Promise<PostRow> {
  const { db } = call
  const [saved] = await db
    .update(posts)
    .set({ ...asScheduled(draft.scheduledAt ?? call.now()), formerScheduledAt: null, ...nextVersion(null) })
    .where(and(eq(posts.id, draft.id), eq(posts.version, draft.version)))
    .returning()
  if (!saved) throw new Error('A held post was not found')
  const [brand] = await db.select().from(brands).where(eq(brands.id, saved.brandId))
  recordChange(db, {
    object: 'post',
    id: saved.id,
    organizationId: brand?.organizationId ?? null,
    before: { status: draft.status },
    after: { status: saved.status, scheduledAt: saved.scheduledAt },
  })
  await keepBase(db, draft.id, draft.version, saved.version)
  await publishPostChanges(call, [saved])
  await enqueueCheck(db, call, saved, draft)
  return saved
}
