import { eq } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import type { ChangeCall } from '../change-call.ts'
import type { FirstCommentStatus } from '../contract.ts'
import { asPending, asWritten, updateComment } from '../publishing/first-comments/settle.ts'
import type { CommentRow } from '../publishing/first-comments/decide.ts'
import { enqueueActions } from '../raised/update-actions.ts'
import { firstComments } from '../schema.ts'
import { get } from './posts.ts'

export async function findComment(db: Database, postId: string): Promise<CommentRow | null> {
  const [row] = await db.select().from(firstComments).where(eq(firstComments.id, postId))
  return row ?? null
}

type Presented = Omit<FirstCommentStatus, 'settledAt'> & { settledAt: Date | null }

export function presentComment(comment: CommentRow, { canWrite }: { canWrite: boolean }): Presented {
  const { state, attempts, waitingFor, platformCommentId, failureCode, failureMessage, failureRetryable, settledAt } =
    comment
  const isOver = canWrite && (state === 'failed' || state === 'unknown')
  const failure = { failureCode, failureMessage, failureRetryable }
  return {
    state,
    attempts,
    waitingFor,
    platformCommentId,
    ...failure,
    settledAt,
    can: { retry: isOver, confirm: isOver },
  }
}

/** Sends it again, unless the network lists it by now. @throws {Problem} 404, and 409 unless it failed or is unknown */
export const retryComment = (call: ChangeCall, postId: string): Promise<CommentRow> =>
  change(call, postId, { ...asPending, rateLimitedSince: null })

/** A person saw it on the network, or wrote it there. @throws {Problem} as `retryComment` */
export const confirmComment = (call: ChangeCall, postId: string): Promise<CommentRow> =>
  change(call, postId, asWritten(null))

async function change(call: ChangeCall, postId: string, values: Parameters<typeof updateComment>[3]) {
  const { db, actor, events } = call
  const post = await get(db, actor, postId)
  const [before] = await db.select().from(firstComments).where(eq(firstComments.id, postId)).for('update')
  if (!before) throw notFound('first comment')
  if (before.state === 'sending')
    throw conflict('publishing_in_progress', 'The first comment is being written right now. Try again in a moment.')
  if (before.state !== 'failed' && before.state !== 'unknown')
    throw conflict('invalid_transition', `The first comment is ${before.state}, so there is nothing to do.`)
  if (post.withdrawnAt) throw conflict('post_withdrawn', 'The post was deleted from its network.')
  const after = await updateComment(db, call, postId, values)
  const stateOf = ({ state }: CommentRow) => ({ firstCommentState: state })
  recordChange(db, { object: 'post', id: postId, before: stateOf(before), after: stateOf(after) })
  await enqueueActions(db, call, after)
  if (after.dueAt) await events.publish(db, 'social.due', { at: after.dueAt.toISOString() })
  return after
}
