import { conflict } from '#lib/errors.ts'
import type { ChangeCall } from '../change-call.ts'
import type { PostStatus } from '../contract.ts'

/** The status changes that people can make (SOC-13). Only the scheduler publishes and fails posts. */
const moves: Record<PostStatus, readonly PostStatus[]> = {
  draft: ['scheduled'],
  scheduled: ['draft', 'scheduled'],
  failed: ['scheduled', 'draft'],
  published: [],
}

interface State {
  status: PostStatus
  failureCode: string | null
}

/** The allowed status changes. A failed post with an unknown outcome can also be marked as published. */
const allowedMoves = ({ status, failureCode }: State): readonly PostStatus[] =>
  status === 'failed' && failureCode === 'outcome_unknown' ? [...moves.failed, 'published'] : moves[status]

/** @throws {Problem} 409 `invalid_transition` with the allowed statuses */
export function requireMove(post: State, to: PostStatus): void {
  const allowed = allowedMoves(post)
  if (!allowed.includes(to)) throw invalidTransition(post, `become ${to}`)
}

export function invalidTransition(post: State, act: string) {
  const allowed = allowedMoves(post)
  const ways = allowed.length > 0 ? `It can only become ${allowed.join(' or ')}.` : 'Its status is final.'
  return conflict('invalid_transition', `A ${post.status} post can’t ${act}. ${ways}`, { allowed })
}

const noFailure = { failureCode: null, failureMessage: null, failedAt: null, failureRetryable: null }
const unclaimed = { leaseOwner: null, waitingFor: null, rateLimitedSince: null }

export const asDraft = { status: 'draft', scheduledAt: null, dueAt: null, ...unclaimed, ...noFailure } as const

/** A draft with its planned time. */
export const asPlanned = (at: Date) => ({ ...asDraft, scheduledAt: at }) as const

export const asScheduled = (at: Date) =>
  ({ status: 'scheduled', scheduledAt: at, dueAt: at, ...unclaimed, ...noFailure }) as const

export const asPublished = (at: Date) =>
  ({ status: 'published', publishedAt: at, dueAt: null, ...unclaimed, ...noFailure }) as const

interface Changed {
  id: string
  brandId: string
  dueAt: Date | null
}

export async function publishPostChanges(
  { db, events }: Pick<ChangeCall, 'db' | 'events'>,
  changed: readonly Changed[],
): Promise<void> {
  for (const { id, brandId } of changed) await events.publish(db, 'social.post', { brandId, postId: id })
  const due = changed.flatMap(({ dueAt }) => dueAt ?? []).toSorted((one, other) => Number(one) - Number(other))
  if (due[0]) await events.publish(db, 'social.due', { at: due[0].toISOString() })
}
