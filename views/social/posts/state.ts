import type { ListedPost } from '#social/types'
import { dayKey } from './days.ts'
import { networkNames, type Place } from './post-text.ts'
import type { State } from '#views/ui/marks.tsx'
import { timeText } from '#views/ui/time.tsx'

type PlaceInTime = Pick<Place, 'now' | 'zone'>

export function stateOf({ status, waitingFor, isDue }: Pick<ListedPost, 'status' | 'waitingFor' | 'isDue'>): State {
  if (status !== 'scheduled') return status
  if (waitingFor) return 'waiting'
  return isDue ? 'sending' : 'scheduled'
}

/** Null when the state says it all. */
export function reasonOf(post: ListedPost, place: PlaceInTime): string | null {
  if (post.failureCode === 'outcome_unknown') return 'Not confirmed: check the account'
  if (post.status === 'failed') return post.failureMessage
  if (post.withdrawnAt) return `Deleted from ${networkNames[post.provider]}`
  return post.waitingFor ? waitingReason(post, place) : null
}

function waitingReason({ waitingFor, position, provider }: ListedPost, place: PlaceInTime): string {
  if (waitingFor?.reason === 'thread_predecessor') return `Waiting for post ${position}`
  if (waitingFor?.reason === 'workspace_suspended') return 'The organization is suspended'
  if (waitingFor?.reason === 'identity_unavailable') return 'Can’t check the organization’s status right now'
  if (waitingFor?.reason === 'rate_window' && waitingFor.until)
    return `${networkNames[provider]} limits how often this account posts. Next attempt ${attemptTime(waitingFor.until, place)}`
  return 'Waiting for another post to this account'
}

/** `at 10:20`, with the day unless it is today. */
function attemptTime(until: string, { now, zone }: PlaceInTime): string {
  const time = `at ${timeText(until, zone, 'time')}`
  return dayKey(until, zone) === dayKey(now, zone) ? time : `on ${timeText(until, zone, 'day')} ${time}`
}

export const postsTopic = (brandId: string): string => `posts:${brandId}`
