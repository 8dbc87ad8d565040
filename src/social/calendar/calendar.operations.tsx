import type { Call } from '#lib/call.ts'
import { operation } from '#lib/operation.ts'
import { comesFrom } from '#lib/page.ts'
import type { Undo } from '#lib/reply.ts'
import { calendarHref, calendarViews, type CalendarView } from '#views/social/calendar/calendar-days.ts'
import { dayKey } from '#views/social/posts/post-text.ts'
import { timeText } from '#views/ui/time.tsx'
import { Calendar, Post } from '../contract.ts'
import { expecting, versioned } from '../posts/versioned.ts'
import { CalendarFilter, PostMove } from './input.ts'
import { move } from './move.ts'
import { readCalendar } from './read-calendar.ts'

export const getCalendar = operation({
  route: 'GET /api/calendar',
  summary: 'List the posts of a brand by day',
  permission: 'calendar:read',
  machine: true,
  input: CalendarFilter,
  output: Calendar,
  run: (call) => readCalendar(call, call.input),
})

export const movePost = operation({
  route: 'PATCH /api/calendar/:postId',
  summary: 'Update the time of a post',
  permission: 'calendar:write',
  machine: true,
  ifMatch: true,
  formPage: ({ postId }) => `/workspace/calendar/${String(postId)}/move`,
  input: PostMove,
  output: Post,
  problems: {
    test_key_not_allowed: 403,
    version_conflict: 409,
    invalid_transition: 409,
    publishing_in_progress: 409,
    approval_required: 409,
  },
  run: async (call) => {
    const moved = await move(call, await expecting(call, call.input.postId))
    const { post, zone } = moved
    const at = post.scheduledAt ?? call.now()
    const place = { brandId: post.brandId, view: viewOf(call), date: dayKey(at, zone) }
    return versioned(post, {
      toast: `Moved to ${timeText(at, zone, 'moment')}`,
      undo: undoOf(moved, call.now()),
      next: calendarHref(place),
      leavesPage: comesFrom(call, `/workspace/calendar/${post.id}/move`),
    })
  },
  view: () => <></>,
})

/** Of the calendar that led to the form. */
function viewOf({ request }: Pick<Call, 'request'>): CalendarView | undefined {
  const from = URL.parse(request.headers.get('hx-current-url') ?? request.headers.get('referer') ?? '')
  return calendarViews.find((view) => view === from?.searchParams.get('view'))
}

/** Posts of one bulk change. */
const maxUnscheduled = 50

/** None once the former time has passed, and for long threads that were drafts. */
function undoOf({ before, post, ids }: Awaited<ReturnType<typeof move>>, now: Date): Undo | undefined {
  if (before.status === 'draft' && before.scheduledAt === null)
    return ids.length > maxUnscheduled
      ? undefined
      : { method: 'POST', href: '/api/posts/bulk', body: { action: 'unschedule', ids } }
  const isMoved = before.status === 'scheduled' || before.status === 'draft'
  if (!isMoved || !before.scheduledAt || before.scheduledAt <= now) return undefined
  const body = { scheduledAt: before.scheduledAt.toISOString(), version: post.version }
  return { method: 'PATCH', href: `/api/calendar/${post.id}`, body }
}
