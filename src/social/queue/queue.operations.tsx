import type { Actor } from '#lib/actor.ts'
import { exampleId, Id } from '#lib/ids.ts'
import type { Call } from '#lib/call.ts'
import { counted } from '#lib/text.ts'
import { operation } from '#lib/operation.ts'
import { comesFrom } from '#lib/page.ts'
import { reply, type Undo } from '#lib/reply.ts'
import { dayKey } from '#views/social/posts/post-text.ts'
import { queueHref } from '#views/social/queue/queue-days.ts'
import { timeText } from '#views/ui/time.tsx'
import { CalendarDay, MovedPosts, Provider, Queue } from '../contract.ts'
import { slotTimes } from '../slots/times.ts'
import { defaultDays, QueueFilter, QueueMove } from './input.ts'
import { moveToSlot, type Moved } from './move.ts'
import { readQueue } from './read-queue.ts'

export const getQueue = operation({
  route: 'GET /api/queue',
  summary: 'List the queue of a brand',
  permission: 'calendar:read',
  machine: true,
  input: QueueFilter,
  output: Queue,
  run: (call) => readQueue(call, call.input),
})

export const movePostInQueue = operation({
  route: 'POST /api/queue/moves',
  summary: 'Update the queue slot of a post',
  permission: 'calendar:write',
  machine: true,
  formPage: ({ postId }) => `/workspace/queue/${String(postId)}/move`,
  input: QueueMove,
  output: MovedPosts,
  example: { postId: exampleId, to: '2099-06-01T07:00:00Z' },
  problems: {
    test_key_not_allowed: 403,
    version_conflict: 409,
    invalid_transition: 409,
    publishing_in_progress: 409,
    approval_required: 409,
    swap_refused: 409,
  },
  run: async (call) => {
    const moved = await moveToSlot(call, call.input)
    const { brand, swapped, posts } = moved
    const at = timeText(call.input.to, brand.timeZone, 'moment')
    const result = { items: posts }
    return reply(200, result, {
      toast: `Moved to ${at}${swapped > 0 ? `, swapped with ${counted(swapped, 'post')}` : ''}`,
      undo: undoOf(moved, call.now()),
      next: placeAfter(call, moved),
      leavesPage: comesFrom(call, `/workspace/queue/${call.input.postId}/move`),
    })
  },
  view: () => <></>,
})

/** Back to its slot by the same operation. A time outside of the slots can only be restored where no post got it. */
function undoOf({ before, posts: [post], swapped, brand }: Moved, now: Date): Undo | undefined {
  const { scheduledAt } = before
  if (!post || !scheduledAt || scheduledAt <= now) return undefined
  const [slot] = slotTimes(brand.queueSlots, brand.timeZone, new Date(scheduledAt.getTime() - 1)).take(1)
  if (slot?.getTime() === scheduledAt.getTime()) {
    const body = { postId: post.id, to: scheduledAt.toISOString(), version: post.version }
    return { method: 'POST', href: '/api/queue/moves', body }
  }
  if (swapped > 0) return undefined
  const body = { scheduledAt: scheduledAt.toISOString(), version: post.version }
  return { method: 'PATCH', href: `/api/calendar/${post.id}`, body }
}

/** The queue with its filters, on days that include the moved post. */
function placeAfter({ request, input, now }: Call<QueueMove, Actor>, { brand }: Moved): string {
  const from = URL.parse(request.headers.get('hx-current-url') ?? request.headers.get('referer') ?? '')
  const shown = CalendarDay.safeParse(from?.searchParams.get('date')).data
  const day = dayKey(input.to, brand.timeZone)
  const first = Temporal.PlainDate.from(shown ?? dayKey(now(), brand.timeZone))
  const isShown = day >= first.toString() && day < first.add({ days: defaultDays }).toString()
  const provider = Provider.safeParse(from?.searchParams.get('provider')).data
  const accountId = Id.safeParse(from?.searchParams.get('accountId')).data
  const place = { brandId: brand.id, provider, accountId }
  return `${queueHref({ ...place, date: isShown ? shown : day })}#event-${input.postId}`
}
