import { conflict } from '#lib/errors.ts'
import type { PostStatus } from '../contract.ts'

/** The moves that a person may make (SOC-13); published and failed are the scheduler's to reach. */
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

/** Where a post may go from here; a failed one whose outcome is unknown may be settled as published. */
const allowedMoves = ({ status, failureCode }: State): readonly PostStatus[] =>
  status === 'failed' && failureCode === 'outcome_unknown' ? [...moves.failed, 'published'] : moves[status]

/** Throws 409 `invalid_transition` naming the allowed moves. */
export function requireMove(post: State, to: PostStatus): void {
  const allowed = allowedMoves(post)
  if (!allowed.includes(to)) throw invalidTransition(post, `become ${to}`)
}

/** The 409 for an act that a post's state doesn't allow. */
export function invalidTransition(post: State, act: string) {
  const allowed = allowedMoves(post)
  const ways = allowed.length > 0 ? `It can only become ${allowed.join(' or ')}.` : 'Its status is final.'
  return conflict('invalid_transition', `A ${post.status} post can’t ${act}. ${ways}`, { allowed })
}

const noFailure = { failureCode: null, failureMessage: null, failedAt: null, failureRetryable: null }
const unclaimed = { leaseOwner: null, waitingFor: null, rateLimitedSince: null }

/** A draft: no schedule, no failure. */
export const asDraft = { status: 'draft', scheduledAt: null, dueAt: null, ...unclaimed, ...noFailure } as const

/** Scheduled: earlier claims of the post are void. */
export const asScheduled = (at: Date) =>
  ({ status: 'scheduled', scheduledAt: at, dueAt: at, ...unclaimed, ...noFailure }) as const

/** Settled by a person who found it on the network. */
export const asPublished = (at: Date) =>
  ({ status: 'published', publishedAt: at, dueAt: null, ...unclaimed, ...noFailure }) as const
