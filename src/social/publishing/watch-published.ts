import { and, desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { databaseTime, type Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { job, type JobDependencies, type TypedJob } from '#lib/job.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import { renewInJob } from '../accounts/tokens/refresh-ahead.ts'
import { openAccount } from '../accounts/tokens/tokens.ts'
import { networkOf } from '../networks/index.ts'
import type { Network, Receipt, Refusal } from '../networks/network.ts'
import { outsideOf } from '../networks/outside.ts'
import { connections, posts, publishAttempts } from '../schema.ts'
import type { AttemptEvent } from '../schema.ts'
import { nextVersion } from '../posts/next-version.ts'
import type { Post } from './attempt.ts'
import { videoOf } from './send-context.ts'
import { refuseAfterwards } from './settle.ts'

const minute = 60_000
/** What the network hasn’t refused by then counts as published. */
const watchedMs = 60 * minute

/** Longer from one check to the next. */
const nextCheckMs = (ageMs: number): number => Math.min(Math.max(15_000, ageMs / 2), 10 * minute)

/** Whether a network that took a post goes on to show it. @param db The transaction that publishes it */
export const watchPublished = (db: Database, { queue }: Pick<JobDependencies, 'queue'>, id: string): Promise<void> =>
  queue.enqueue(db, checkPublishedPost, { id }, { startAfter: nextCheckMs(0) / 1000 })

export const checkPublishedPost: TypedJob<{ id: string }> = job({
  name: 'social.check-published-post',
  input: z.object({ id: Id }),
  concurrency: 4,
  uniqueBy: ({ id }) => id,
  run: async (work) => {
    const { database, input, queue } = work
    const watched = await findWatched(database.db, input.id)
    if (!watched || watched.ageMs > watchedMs) return
    const check = await checkAgain(work, watched)
    if (check === 'over') return
    if (check !== 'processing') {
      await database.transaction((tx) =>
        'code' in check ? settleRefused(tx, work, watched, check) : saveReceipt(tx, work, watched, check),
      )
      return
    }
    const startAfter = nextCheckMs(watched.ageMs) / 1000
    await queue.enqueue(database.db, checkPublishedPost, { id: input.id }, { startAfter })
  },
})

interface Watched {
  post: Post
  attemptId: string
  connection: typeof connections.$inferSelect
  network: Network
  platformPostId: string
  ageMs: number
}

/** Null for a post that is no longer published as the network took it. */
async function findWatched(db: Database, id: string): Promise<Watched | null> {
  const [row] = await db
    .select({ post: posts, attemptId: publishAttempts.id, connection: connections })
    .from(posts)
    .innerJoin(publishAttempts, and(eq(publishAttempts.postId, posts.id), eq(publishAttempts.state, 'published')))
    .innerJoin(connections, eq(connections.id, publishAttempts.connectionId))
    .where(eq(posts.id, id))
    .orderBy(desc(publishAttempts.number))
    .limit(1)
  if (!row) return null
  const { status, platformPostId, publishedAt, withdrawnAt } = row.post
  const network = networkOf(row.post.provider)
  if (status !== 'published' || !platformPostId || !publishedAt || withdrawnAt || !network) return null
  const ageMs = (await databaseTime(db)).getTime() - publishedAt.getTime()
  return { ...row, network, platformPostId, ageMs }
}

type Work = JobDependencies

async function checkAgain(work: Work, watched: Watched): Promise<Refusal | Receipt | 'processing' | 'over'> {
  const { connection, network, platformPostId, post } = watched
  // Deactivated, or erased at the request of its owner.
  if (!network.checkPublished || !connection.active || connection.sealedTokens === null) return 'over'
  const { config, outbound, secrets } = work
  const account = openAccount(secrets, connection)
  const check = await network.checkPublished({
    account,
    platformPostId,
    outside: outsideOf(config, publicUrlOfJob('/', config), outbound),
    video: videoOf(work, post),
    signal: AbortSignal.timeout(config.PROVIDER_TIMEOUT_MS),
  })
  if (check.kind === 'refused') return check
  if (check.kind === 'shown') return check.receipt ?? 'over'
  if (check.kind === 'processing') return check.kind
  const renewal = await renewInJob(work, { id: connection.id, network, refused: account })
  return renewal.kind === 'signed_out' ? 'over' : 'processing'
}

/** False when it was deleted from the network or published again while the network was asked. */
async function lockUnchanged(tx: Database, { post: { id, platformPostId } }: Watched): Promise<boolean> {
  const [current] = await tx.select().from(posts).where(eq(posts.id, id)).for('update')
  return current?.status === 'published' && current.platformPostId === platformPostId && current.withdrawnAt === null
}

async function settleRefused(tx: Database, work: Work, watched: Watched, refusal: Refusal): Promise<void> {
  if (!(await lockUnchanged(tx, watched))) return
  const { post, attemptId } = watched
  const { code, message, transient } = refusal
  const event: AttemptEvent = { at: (await databaseTime(tx)).toISOString(), what: 'refused', detail: message }
  await tx
    .update(publishAttempts)
    .set({ state: 'failed', events: sql`${publishAttempts.events} || ${JSON.stringify([event])}::jsonb` })
    .where(eq(publishAttempts.id, attemptId))
  await refuseAfterwards(tx, work, post.id, { code, message, retryable: transient || code === 'signed_out' })
}

/** The post was known by its upload until now. */
async function saveReceipt(
  tx: Database,
  { events }: Work,
  watched: Watched,
  { platformPostId, permalink }: Receipt,
): Promise<void> {
  if (!(await lockUnchanged(tx, watched))) return
  const { id, brandId, provider } = watched.post
  const [account] = await tx
    .select({ externalId: connections.externalId })
    .from(connections)
    .where(eq(connections.id, watched.connection.id))
    .for('share')
  // Erased at the request of its owner while the network was asked.
  if (account?.externalId !== watched.connection.externalId) return
  const isKnown = await tx.$count(
    posts,
    and(
      eq(posts.brandId, brandId),
      eq(posts.provider, provider),
      eq(posts.externalAccount, account.externalId),
      eq(posts.platformPostId, platformPostId),
    ),
  )
  if (isKnown > 0) return
  await tx
    .update(posts)
    .set({ platformPostId, permalink, ...nextVersion(null) })
    .where(eq(posts.id, id))
  await events.publish(tx, 'social.post', { brandId, postId: id })
}
