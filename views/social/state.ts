import type { Post } from '#social/types'
import { dayKey } from './days.ts'
import { networkNames, type Place } from './line.ts'
import type { State } from '#views/ui/status.tsx'
import { timeText } from '#views/ui/time.tsx'

/** A post's state as it is shown: a due one is being sent, or waits. */
export function stateOf(post: Post, now: Date): State {
  if (post.status !== 'scheduled') return post.status
  if (post.waitingFor) return 'waiting'
  return post.scheduledAt !== null && new Date(post.scheduledAt) <= now ? 'sending' : 'scheduled'
}

/** The reason of a post's state in one sentence, with times in the zone; null when the state says it all. */
export function whyOf(post: Post, place: Pick<Place, 'now' | 'zone'>): string | null {
  if (post.failureCode === 'outcome_unknown') return 'Outcome unknown: check the account'
  if (post.status === 'failed') return post.failureMessage
  if (post.withdrawnAt) return `Deleted from ${networkNames[post.provider]}`
  return post.waitingFor ? waitsFor(post, place) : null
}

function waitsFor({ waitingFor, position, provider }: Post, place: Pick<Place, 'now' | 'zone'>): string {
  if (waitingFor?.reason === 'thread_predecessor') return `Waits for part ${position} to be published`
  if (waitingFor?.reason === 'workspace_suspended') return 'The workspace was suspended'
  if (waitingFor?.reason === 'identity_unavailable') return 'The state of the organization can’t be checked right now'
  if (waitingFor?.reason === 'rate_window' && waitingFor.until)
    return `${networkNames[provider]} limits how often this account posts: next try ${tryAt(waitingFor.until, place)}`
  return 'Another post is going out to this account'
}

/** `at 10:20`, with the day unless it is today. */
function tryAt(until: string, { now, zone }: Pick<Place, 'now' | 'zone'>): string {
  const time = `at ${timeText(until, zone, 'time')}`
  return dayKey(until, zone) === dayKey(now, zone) ? time : `on ${timeText(until, zone, 'day')} ${time}`
}

/** The live topic of a brand’s posts. */
export const postsTopic = (brandId: string): string => `posts:${brandId}`
