import { and, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Database } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'
import type { EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { emitSettled } from '../events.ts'
import type { Receipt } from '../networks/network.ts'
import { tellOf } from '../posts/news.ts'
import { posts, publishAttempts, type Waiting } from '../schema.ts'
import { wakeAfter } from '../posts/threads.ts'
import type { Attempt, Failure, Post } from './attempt.ts'
import { placeOf, type Fence } from './fence.ts'
import { closeWindow, leastWait, rateLimited } from './rate-windows.ts'
import type { Ending } from './send.ts'

/** Milliseconds until a post that waits for no known time is looked at again; its predecessor wakes it sooner. */
const lookAgain = {
  thread_predecessor: 30_000,
  account_busy: 150,
  workspace_suspended: 60_000,
  identity_unavailable: 5_000,
  rate_window: 1_000,
}

/** The recipients of events: other servers, and webhooks. */
export type Telling = EmitDependencies & { readonly events: Events }

/** What a scheduled post becomes. */
type Change = PgUpdateSetSource<typeof posts>

const free = { leaseOwner: null, waitingFor: null, rateLimitedSince: null } satisfies Change
const touched = { version: sql`${posts.version} + 1`, updatedAt: sql`clock_timestamp()` }

/**
 * Settles an attempt and its post in one transaction. False when another process took the attempt over: then nothing
 * was changed. Throws when another post of the brand holds the same receipt.
 */
export async function settle(
  tx: Database,
  telling: Telling,
  { attempt, connection }: Extract<Fence, { kind: 'send' | 'reconcile' }>,
  ending: Exclude<Ending, { kind: 'lost' }>,
): Promise<boolean> {
  await tx.select({ id: posts.id }).from(posts).where(eq(posts.id, attempt.postId)).for('update')
  const [settled] = await tx
    .update(publishAttempts)
    .set({ state: stateOf[ending.kind], events: attempt.events, settledAt: sql`clock_timestamp()` })
    .where(
      and(
        eq(publishAttempts.id, attempt.id),
        eq(publishAttempts.state, 'sending'),
        eq(publishAttempts.leaseOwner, attempt.leaseOwner),
      ),
    )
    .returning({ id: publishAttempts.id })
  if (!settled) return false
  if (ending.kind === 'not_arrived') return true
  if (ending.kind === 'throttled') return throttle(tx, telling, { attempt, connection }, ending)
  const post = await change(tx, telling, attempt.postId, { ...changeOf(attempt, ending), ...touched })
  if (ending.kind === 'published') await tellOf({ db: tx, events: telling.events }, await wakeAfter(tx, post))
  return true
}

const stateOf = {
  published: 'published',
  failed: 'failed',
  unknown: 'unknown',
  not_arrived: 'not_arrived',
  throttled: 'not_arrived',
} as const

/** Remembers until when the network takes no posts: this one waits for it too, or fails when that takes too long. */
async function throttle(
  tx: Database,
  telling: Telling,
  { attempt, connection }: Pick<Extract<Fence, { kind: 'send' | 'reconcile' }>, 'attempt' | 'connection'>,
  { waitMs, limitOf }: Extract<Ending, { kind: 'throttled' }>,
): Promise<true> {
  const { postId, provider } = attempt
  const place = placeOf(provider, connection)
  const least = await leastWait(tx, postId)
  await closeWindow(tx, place, { waitMs: Math.max(waitMs, least), limitOf })
  const limited = await rateLimited(tx, postId, place)
  if (!limited) await release(tx, telling, postId)
  else if ('failure' in limited) await fail(tx, telling, postId, limited.failure)
  else await letWait(tx, telling, postId, limited.waiting)
  return true
}

function changeOf(attempt: Attempt, ending: Exclude<Ending, { kind: 'lost' | 'not_arrived' | 'throttled' }>): Change {
  if (ending.kind === 'published') return publishedAs(ending.receipt, attempt.externalAccount)
  if (ending.kind === 'failed') return failedBy(ending.failure)
  const message = `We couldn’t confirm that the post was published. Check the account. (${ending.message})`
  return failedBy({ code: 'outcome_unknown', message, retryable: false })
}

const publishedAs = ({ platformPostId, permalink }: Receipt, externalAccount: string): Change => ({
  status: 'published',
  platformPostId,
  permalink,
  externalAccount,
  publishedAt: sql`clock_timestamp()`,
  dueAt: null,
  ...free,
})

const failedBy = ({ code, message, retryable }: Failure): Change => ({
  status: 'failed',
  failureCode: code,
  failureMessage: message,
  failureRetryable: retryable,
  failedAt: sql`clock_timestamp()`,
  dueAt: null,
  ...free,
})

/** Settles a claimed post that no attempt could be made for. */
export const fail = (tx: Database, telling: Telling, postId: string, failure: Failure): Promise<Post> =>
  change(tx, telling, postId, { ...failedBy(failure), ...touched })

/** Lets a claimed post go until it is looked at again, and says what it waits for. */
export const letWait = (tx: Database, telling: Telling, postId: string, waitingFor: Waiting): Promise<Post> =>
  change(tx, telling, postId, {
    leaseOwner: null,
    waitingFor,
    dueAt: waitingFor.until ? sql`${waitingFor.until}::timestamptz` : inMilliseconds(lookAgain[waitingFor.reason]),
    ...(waitingFor.reason === 'rate_window' && {
      rateLimitedSince: sql`coalesce(${posts.rateLimitedSince}, clock_timestamp())`,
    }),
  })

/** Lets a claimed post go as it was: it is due at once, for any process. */
export const release = (tx: Database, telling: Telling, postId: string): Promise<Post> =>
  change(tx, telling, postId, { ...free, dueAt: inMilliseconds(0) })

const inMilliseconds = (ms: number) => sql`clock_timestamp() + ${ms} * interval '1 millisecond'`

async function change(tx: Database, telling: Telling, postId: string, values: Change): Promise<Post> {
  const [post] = await tx.update(posts).set(values).where(eq(posts.id, postId)).returning()
  if (!post) throw new Error('A post disappeared while it was locked')
  await telling.events.publish(tx, 'social.post', { brandId: post.brandId, postId })
  if (post.status !== 'scheduled') await emitSettled(tx, telling, post)
  return post
}
