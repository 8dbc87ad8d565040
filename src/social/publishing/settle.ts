import { and, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Database } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'
import type { EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { erasedAccountOf, withoutProfile } from '../accounts/erased.ts'
import { reportUse } from '../accounts/report.ts'
import { emitSettled } from '../events.ts'
import type { Receipt } from '../networks/network.ts'
import { nextVersion } from '../posts/next-version.ts'
import { publishPostChanges } from '../posts/transitions.ts'
import { enqueueReviewActions } from '../review/actions.ts'
import { connections, posts, publishAttempts, type Waiting } from '../schema.ts'
import { enqueueActions } from '../raised/update-actions.ts'
import { wakeNextPart } from '../posts/threads.ts'
import type { Attempt, Failure, Post } from './attempt.ts'
import { rateLimitScopeOf, type PublishDecision } from './prepare-attempt.ts'
import { planFirstComment } from './first-comments/plan.ts'
import { deleteCheck } from '../readiness/checks.ts'
import { deletePreparation } from './preparation/preparations.ts'
import { closeWindow, getMinWait, checkRateLimit } from './rate-windows.ts'
import type { Ending } from './send.ts'

/** Until a waiting post without a known time is checked again. Its predecessor wakes it sooner. */
export const recheckMs = {
  thread_predecessor: 30_000,
  account_busy: 150,
  workspace_suspended: 60_000,
  identity_unavailable: 5_000,
  gateway_unavailable: 30_000,
  rate_window: 1_000,
  media_uploading: 1_000,
  media_processing: 5_000,
  paused: 60_000,
  approval_required: 60_000,
}

export type EventTargets = EmitDependencies & { readonly events: Events }

type Change = PgUpdateSetSource<typeof posts>

const released = { leaseOwner: null, waitingFor: null, rateLimitedSince: null } satisfies Change

/** False when another process took the attempt over. @throws when another post of the brand has the same receipt */
export async function settle(
  tx: Database,
  targets: EventTargets,
  { attempt, connection }: Extract<PublishDecision, { kind: 'send' | 'reconcile' }>,
  ending: Exclude<Ending, { kind: 'lost' }>,
): Promise<boolean> {
  await tx.select({ id: posts.id }).from(posts).where(eq(posts.id, attempt.postId)).for('update')
  const externalAccount = await lockExternalAccount(tx, attempt)
  const isErased = externalAccount === erasedAccountOf(attempt.connectionId)
  const [settled] = await tx
    .update(publishAttempts)
    .set({
      state: attemptStates[ending.kind],
      events: isErased ? [] : attempt.events,
      settledAt: sql`clock_timestamp()`,
      externalAccount,
    })
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
  if (ending.kind === 'waiting') {
    await postpone(tx, targets, attempt.postId, { reason: ending.reason })
    return true
  }
  if (ending.kind === 'throttled') {
    await throttle(
      tx,
      targets,
      { postId: attempt.postId, place: rateLimitScopeOf(attempt.provider, connection) },
      ending,
    )
    return true
  }
  await deletePreparation(tx, attempt.postId)
  const post = await updatePost(tx, targets, attempt.postId, {
    ...postChangeOf(ending, { externalAccount, isErased }),
    ...nextVersion(null),
  })
  if (ending.kind === 'published') {
    await reportUse(tx, targets, attempt.connectionId)
    await planFirstComment(tx, targets, post)
    const { closedForMs: waitMs } = ending
    if (waitMs !== undefined)
      await closeWindow(tx, rateLimitScopeOf(attempt.provider, connection), { waitMs, limitOf: 'account' })
    await publishPostChanges({ db: tx, events: targets.events }, await wakeNextPart(tx, post))
  }
  return true
}

/** What names the account can have been erased during the call (SOC-09), and can’t be until this transaction ends. */
async function lockExternalAccount(tx: Database, { connectionId }: Attempt): Promise<string> {
  const [row] = await tx
    .select({ externalId: connections.externalId })
    .from(connections)
    .where(eq(connections.id, connectionId))
    .for('share')
  if (!row) throw new Error('The connection of an attempt was deleted')
  return row.externalId
}

const attemptStates = {
  published: 'published',
  failed: 'failed',
  unknown: 'unknown',
  not_arrived: 'not_arrived',
  throttled: 'not_arrived',
  waiting: 'not_arrived',
} as const

export async function throttle(
  tx: Database,
  targets: EventTargets,
  { postId, place }: { postId: string; place: ReturnType<typeof rateLimitScopeOf> },
  { waitMs, limitOf }: Extract<Ending, { kind: 'throttled' }>,
): Promise<void> {
  const least = await getMinWait(tx, postId)
  await closeWindow(tx, place, { waitMs: Math.max(waitMs, least), limitOf })
  const limited = await checkRateLimit(tx, postId, place)
  if (!limited) await release(tx, targets, postId)
  else if ('failure' in limited) await fail(tx, targets, postId, limited.failure)
  else await postpone(tx, targets, postId, limited.waiting)
}

interface PublishedAccount {
  externalAccount: string
  isErased: boolean
}

function postChangeOf(
  ending: Exclude<Ending, { kind: 'lost' | 'not_arrived' | 'throttled' | 'waiting' }>,
  account: PublishedAccount,
): Change {
  if (ending.kind === 'published') return publishedChange(ending.receipt, account)
  if (ending.kind === 'failed') return failedChange(ending.failure)
  const message = `We couldn’t confirm that the post was published. Check the account. (${ending.message})`
  return failedChange({ code: 'outcome_unknown', message, retryable: false })
}

const publishedChange = (
  { platformPostId, permalink }: Receipt,
  { externalAccount, isErased }: PublishedAccount,
): Change => ({
  status: 'published',
  platformPostId,
  permalink: isErased ? withoutProfile(permalink) : permalink,
  externalAccount,
  publishedAt: sql`clock_timestamp()`,
  dueAt: null,
  ...released,
})

const failedChange = ({ code, message, retryable }: Failure): Change => ({
  status: 'failed',
  failureCode: code,
  failureMessage: message,
  failureRetryable: retryable,
  failedAt: sql`clock_timestamp()`,
  dueAt: null,
  ...released,
})

export const fail = (tx: Database, targets: EventTargets, postId: string, failure: Failure): Promise<Post> =>
  updatePost(tx, targets, postId, { ...failedChange(failure), ...nextVersion(null) })

/** Of a post that the network took, and refused later: it isn’t there any more. */
export const refuseAfterwards = (
  tx: Database,
  targets: EventTargets,
  postId: string,
  failure: Failure,
): Promise<Post> =>
  updatePost(tx, targets, postId, {
    ...failedChange(failure),
    platformPostId: null,
    permalink: null,
    publishedAt: null,
    ...nextVersion(null),
  })

export const postpone = (tx: Database, targets: EventTargets, postId: string, waitingFor: Waiting): Promise<Post> =>
  updatePost(tx, targets, postId, {
    leaseOwner: null,
    waitingFor,
    dueAt: waitingFor.until ? sql`${waitingFor.until}::timestamptz` : inMs(recheckMs[waitingFor.reason]),
    ...(waitingFor.reason === 'rate_window' && {
      rateLimitedSince: sql`coalesce(${posts.rateLimitedSince}, clock_timestamp())`,
    }),
  })

/** Releases a claimed post unchanged: it is due at once, for any process. */
export const release = (tx: Database, targets: EventTargets, postId: string): Promise<Post> =>
  updatePost(tx, targets, postId, { ...released, dueAt: inMs(0) })

export const inMs = (ms: number) => sql`clock_timestamp() + ${ms} * interval '1 millisecond'`

async function updatePost(tx: Database, targets: EventTargets, postId: string, values: Change): Promise<Post> {
  const [post] = await tx.update(posts).set(values).where(eq(posts.id, postId)).returning()
  if (!post) throw new Error('A post disappeared while it was locked')
  await targets.events.publish(tx, 'social.post', { brandId: post.brandId, postId })
  if (post.status !== 'scheduled') {
    await emitSettled(tx, targets, post)
    await deleteCheck(tx, postId)
  }
  if (post.status === 'failed') await enqueueActions(tx, targets, post)
  if (post.status === 'published' && post.reviewState === 'requested')
    await enqueueReviewActions(tx, targets, post.brandId)
  return post
}
