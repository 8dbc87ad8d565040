import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { capitalize } from '#lib/text.ts'
import { comesFrom } from '#lib/page.ts'
import type { ReplyOptions } from '#lib/reply.ts'
import { calendarHref, calendarViews } from '#views/social/calendar/calendar-days.ts'
import { queueHref } from '#views/social/queue/queue-days.ts'
import { dayKey } from '#views/social/posts/post-text.ts'
import { timeText } from '#views/ui/time.tsx'
import * as brands from '../brands/brands.ts'
import type { PostRow } from './posts.ts'
import { addressOf } from './versioned.ts'

/**
 * Where a new post leads: back to the day of the calendar or queue from which the composer was opened, so that the next one can be
 * planned; else to its page.
 */
export async function afterComposing(
  call: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'request'>,
  posts: readonly PostRow[],
): Promise<Pick<ReplyOptions, 'next' | 'toast'>> {
  const [first] = posts
  if (!first) return {}
  const composer = composerAddress(call)
  if (!composer?.searchParams.has('at') || !first.scheduledAt) return { next: addressOf(first) }
  const { timeZone } = await brands.get(call.db, call.actor, first.brandId)
  const date = dayKey(first.scheduledAt, timeZone)
  const from = composer.searchParams.get('view')
  const view = calendarViews.find((each) => each === from)
  const place = { brandId: first.brandId, date }
  const day = from === 'queue' ? queueHref(place) : calendarHref({ ...place, view })
  const done = first.status === 'draft' ? 'planned' : 'scheduled'
  const count = posts.length === 1 ? capitalize(done) : `${posts.length} posts ${done}`
  return {
    next: `${day}#day-${date}`,
    toast: `${count} for ${timeText(first.scheduledAt, timeZone, 'moment')}`,
  }
}

function composerAddress(call: Pick<Call, 'request'>): URL | null {
  const { headers } = call.request
  return comesFrom(call, '/workspace/posts/new')
    ? URL.parse(headers.get('hx-current-url') ?? headers.get('referer') ?? '')
    : null
}
