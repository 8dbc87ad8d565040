import { and, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Database } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'
import type { Receipt } from '../networks/network.ts'
import { tellOf } from '../posts/news.ts'
import { posts, publishAttempts, type Waiting } from '../schema.ts'
import { wakeAfter } from '../posts/threads.ts'
import type { Attempt, Failure, Post } from './fence.ts'
import type { Ending } from './send.ts'

/** Milliseconds until a waiting post is looked at again; its predecessor wakes it sooner. */
const lookAgain = {
  thread_predecessor: 30_000,
  account_busy: 150,
  workspace_suspended: 60_000,
  identity_unavailable: 5_000,
}

/** What a scheduled post becomes. */
type Change = PgUpdateSetSource<typeof posts>

const free = { leaseOwner: null, waitingFor: null } satisfies Change
const touched = { version: sql`${posts.version} + 1`, updatedAt: sql`clock_timestamp()` }

/**
 * Settles an attempt and its post in one transaction. False when another process took the attempt over: then nothing
 * was changed. Throws when another post came to hold the same receipt; the attempt is then asked after again.
 */
export async function settle(
  tx: Database,
  events: Events,
  attempt: Attempt,
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
  const post = await change(tx, events, attempt.postId, { ...changeOf(attempt, ending), ...touched })
  if (ending.kind === 'published') await tellOf({ db: tx, events }, await wakeAfter(tx, post))
  return true
}

const stateOf = { published: 'published', failed: 'failed', unknown: 'unknown', not_arrived: 'not_arrived' } as const

function changeOf(attempt: Attempt, ending: Exclude<Ending, { kind: 'lost' | 'not_arrived' }>): Change {
  if (ending.kind === 'published') return publishedAs(ending.receipt, attempt.externalAccount)
  if (ending.kind === 'failed') return failedBy(ending.failure)
  const message = `It could not be found out whether the post arrived. Check the account. (${ending.message})`
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
export const fail = (tx: Database, events: Events, postId: string, failure: Failure): Promise<Post> =>
  change(tx, events, postId, { ...failedBy(failure), ...touched })

/** Lets a claimed post go until it is looked at again, and says what it waits for. */
export const letWait = (tx: Database, events: Events, postId: string, waitingFor: Waiting): Promise<Post> =>
  change(tx, events, postId, { leaseOwner: null, waitingFor, dueAt: inMilliseconds(lookAgain[waitingFor.reason]) })

/** Lets a claimed post go as it was: it is due at once, for any process. */
export const release = (tx: Database, events: Events, postId: string): Promise<Post> =>
  change(tx, events, postId, { ...free, dueAt: inMilliseconds(0) })

const inMilliseconds = (ms: number) => sql`clock_timestamp() + ${ms} * interval '1 millisecond'`

async function change(tx: Database, events: Events, postId: string, values: Change): Promise<Post> {
  const [post] = await tx.update(posts).set(values).where(eq(posts.id, postId)).returning()
  if (!post) throw new Error('A post vanished while it was locked')
  await events.publish(tx, 'social.post', { brandId: post.brandId, postId })
  return post
}
