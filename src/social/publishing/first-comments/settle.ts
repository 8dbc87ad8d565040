import { and, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Database } from '#lib/db.ts'
import { emitComment } from '../../events.ts'
import { enqueueActions } from '../../raised/update-actions.ts'
import { firstComments, type AttemptEvent, type Waiting } from '../../schema.ts'
import type { Failure } from '../attempt.ts'
import { checkRateLimit, closeWindow } from '../rate-windows.ts'
import type { Ending } from '../send.ts'
import { inMs, recheckMs, type EventTargets } from '../settle.ts'
import type { CommentCall, CommentRow } from './decide.ts'
import { limitEvents } from './events.ts'
import { limitScopeOf } from './limit-scope.ts'

type Change = PgUpdateSetSource<typeof firstComments>

const released = { leaseOwner: null, waitingFor: null } satisfies Change
const noFailure = { failureCode: null, failureMessage: null, failureRetryable: null } satisfies Change
const open = { ...released, ...noFailure, state: 'pending', settledAt: null } satisfies Change
const closed = { ...released, rateLimitedSince: null, dueAt: null, settledAt: sql`clock_timestamp()` } satisfies Change

export const asPending = { ...open, dueAt: inMs(0) } satisfies Change

export const asWritten = (platformCommentId: string | null): Change => ({
  ...closed,
  ...noFailure,
  state: 'published',
  platformCommentId,
})

const asFailed = ({ code, message, retryable }: Failure): Change => ({
  ...closed,
  state: 'failed',
  failureCode: code,
  failureMessage: message,
  failureRetryable: retryable,
})

const asUnknown = (message: string): Change => ({
  ...closed,
  state: 'unknown',
  failureCode: 'outcome_unknown',
  failureMessage: `We couldn’t confirm that the comment was written. Look at the post. (${message})`,
  failureRetryable: false,
})

const asWaiting = (waitingFor: Waiting): Change => ({
  ...open,
  waitingFor,
  dueAt: waitingFor.until ? sql`${waitingFor.until}::timestamptz` : inMs(recheckMs[waitingFor.reason]),
  ...(waitingFor.reason === 'rate_window' && {
    rateLimitedSince: sql`coalesce(${firstComments.rateLimitedSince}, clock_timestamp())`,
  }),
})

/** False when another process took the comment over. */
export async function settleComment(
  tx: Database,
  targets: EventTargets,
  { comment, outgoing, connection, network }: CommentCall,
  ending: Exclude<Ending, { kind: 'lost' }>,
): Promise<boolean> {
  const own = and(
    eq(firstComments.id, comment.id),
    eq(firstComments.state, 'sending'),
    comment.leaseOwner ? eq(firstComments.leaseOwner, comment.leaseOwner) : sql`false`,
  )
  const [held] = await tx
    .update(firstComments)
    .set({ events: eventsUnlessErased(comment, outgoing.events) })
    .where(own)
    .returning()
  if (!held) return false
  if (ending.kind === 'throttled') {
    const place = limitScopeOf(network, connection)
    // Doubled each time: some networks say "in 0 seconds" each time.
    const leastMs = Math.min(2 ** held.attempts, 60) * 1000
    await closeWindow(tx, place, { waitMs: Math.max(ending.waitMs, leastMs), limitOf: ending.limitOf })
    const limited = await checkRateLimit(tx, held.id, place, firstComments)
    if (!limited) await updateComment(tx, targets, held.id, asPending)
    else
      await updateComment(
        tx,
        targets,
        held.id,
        'failure' in limited ? asFailed(limited.failure) : asWaiting(limited.waiting),
      )
    return true
  }
  await updateComment(tx, targets, held.id, changeOf(ending))
  if (ending.kind === 'published' && ending.closedForMs !== undefined)
    await closeWindow(tx, limitScopeOf(network, connection), {
      waitMs: ending.closedForMs,
      limitOf: 'account',
    })
  return true
}

/** What names the account can have been erased during the call (SOC-09). */
const eventsUnlessErased = ({ externalAccount }: CommentRow, events: AttemptEvent[]) =>
  sql`case when ${firstComments.externalAccount} = ${externalAccount}
    then ${JSON.stringify(limitEvents(events))}::jsonb else '[]'::jsonb end`

function changeOf(ending: Exclude<Ending, { kind: 'lost' | 'throttled' }>): Change {
  if (ending.kind === 'published') return asWritten(ending.receipt.platformPostId)
  if (ending.kind === 'failed') return asFailed(ending.failure)
  if (ending.kind === 'unknown') return asUnknown(ending.message)
  return ending.kind === 'waiting' ? asWaiting({ reason: ending.reason }) : asPending
}

export const failComment = (tx: Database, targets: EventTargets, id: string, failure: Failure): Promise<CommentRow> =>
  updateComment(tx, targets, id, asFailed(failure))

export const leaveUnknown = (tx: Database, targets: EventTargets, id: string, message: string): Promise<CommentRow> =>
  updateComment(tx, targets, id, asUnknown(message))

export const postponeComment = (
  tx: Database,
  targets: EventTargets,
  id: string,
  waiting: Waiting,
): Promise<CommentRow> => updateComment(tx, targets, id, asWaiting(waiting))

export async function updateComment(
  tx: Database,
  targets: EventTargets,
  id: string,
  values: Change,
): Promise<CommentRow> {
  const [comment] = await tx.update(firstComments).set(values).where(eq(firstComments.id, id)).returning()
  if (!comment) throw new Error('A first comment disappeared while it was locked')
  await targets.events.publish(tx, 'social.post', { brandId: comment.brandId, postId: id })
  await emitComment(tx, targets, comment)
  if (comment.state === 'failed' || comment.state === 'unknown') await enqueueActions(tx, targets, comment)
  return comment
}
