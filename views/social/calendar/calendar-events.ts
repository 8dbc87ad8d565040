import type { CalendarPost } from '#social/types'
import { hasCommentTrouble, stateOf } from '../posts/post-text.ts'

/** From the most urgent: the state of a thread is that of its most urgent part. */
const states = [
  'failed',
  'waiting',
  'problem',
  'sending',
  'warning',
  'comment',
  'scheduled',
  'published',
  'draft',
] as const
export type EventState = (typeof states)[number]

/** A post, or the posts of a thread on one day. */
export interface CalendarEvent {
  /** The first of them. */
  post: CalendarPost
  parts: number
  state: EventState
}

function eventState(post: CalendarPost): EventState {
  if (hasCommentTrouble(post)) return 'comment'
  return stateOf(post) === 'scheduled' && post.readiness && post.readiness !== 'ready' ? post.readiness : stateOf(post)
}

const moreUrgent = (one: EventState, other: EventState): EventState =>
  states.indexOf(one) < states.indexOf(other) ? one : other

/** By day, as `2026-11-21`, each in the order of the posts. */
export function eventsByDay(posts: readonly CalendarPost[]): Map<string, CalendarEvent[]> {
  const days = new Map<string, CalendarEvent[]>()
  const threads = new Map<string, CalendarEvent>()
  for (const post of posts) {
    const day = post.localTime.slice(0, 10)
    const key = post.threadId && `${day} ${post.threadId}`
    const known = key ? threads.get(key) : undefined
    if (known) {
      if (post.position < known.post.position) known.post = post
      known.parts += 1
      known.state = moreUrgent(known.state, eventState(post))
      continue
    }
    const event = { post, parts: 1, state: eventState(post) }
    if (key) threads.set(key, event)
    const ofDay = days.get(day)
    if (ofDay) ofDay.push(event)
    else days.set(day, [event])
  }
  return days
}

/** Hours since midnight, by the clock on the wall. */
export const hoursOf = ({ localTime }: Pick<CalendarPost, 'localTime'>): number =>
  Number(localTime.slice(11, 13)) + Number(localTime.slice(14, 16)) / 60

/** Height of an event in hours. */
export const eventHeight = 0.75
/** Side by side. */
const maxColumns = 3

interface PlacedEvent {
  event: CalendarEvent
  at: number
  column: number
  /** Columns of the group that it overlaps with. */
  of: number
}

export interface DayLayout {
  placed: PlacedEvent[]
  /** Events for which there is no room beside others. */
  more: { at: number; count: number; of: number }[]
}

/** Puts events of a day that would overlap beside each other. */
export function layOut(events: readonly CalendarEvent[]): DayLayout {
  const layout: DayLayout = { placed: [], more: [] }
  for (const group of overlapping(events)) {
    const ends: number[] = []
    const placed: PlacedEvent[] = []
    for (const event of group) {
      const at = hoursOf(event.post)
      const free = ends.findIndex((end) => end <= at)
      const column = free < 0 ? ends.length : free
      if (column === maxColumns) continue
      ends[column] = at + eventHeight
      placed.push({ event, at, column, of: 0 })
    }
    const hidden = group.length - placed.length
    const of = ends.length + (hidden > 0 ? 1 : 0)
    layout.placed.push(...placed.map((one) => ({ ...one, of })))
    if (hidden > 0) layout.more.push({ at: placed[0]?.at ?? 0, count: hidden, of })
  }
  return layout
}

function overlapping(events: readonly CalendarEvent[]): CalendarEvent[][] {
  const groups: CalendarEvent[][] = []
  let end = -1
  for (const event of events) {
    const at = hoursOf(event.post)
    if (at < end) groups.at(-1)?.push(event)
    else groups.push([event])
    end = at + eventHeight
  }
  return groups
}
