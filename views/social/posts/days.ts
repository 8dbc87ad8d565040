import type { ListedPost } from '#social/types'
import { timeText } from '#views/ui/time.tsx'
import type { Place } from './post-text.ts'

type PlaceInTime = Pick<Place, 'now' | 'zone'>

export interface Group {
  /** The day as `2026-11-21`. */
  key: string
  title: string
  note: string | null
  posts: ListedPost[]
}

/** Consecutive posts, in the given order. */
export function groupByDay(posts: readonly ListedPost[], { now, zone }: PlaceInTime): Group[] {
  const groups: Group[] = []
  for (const post of posts) {
    const at = timeOf(post)
    const key = dayKey(at, zone)
    if (groups.at(-1)?.key !== key) groups.push({ key, ...headingOf(at, zone, now), posts: [] })
    groups.at(-1)?.posts.push(post)
  }
  return groups
}

/** `09:00` today, `Yesterday`, else `Thu 19 Nov`. */
export function nearTime(at: string, { now, zone }: PlaceInTime): string {
  const away = daysFrom(now, at, zone)
  if (away === 0) return timeText(at, zone, 'time')
  return dayNames[away] ?? timeText(at, zone, 'day')
}

export const dayKey = (at: Date | string, zone: string): string => plainDate(at, zone).toString()

export function wallTimeOf(at: Date, zone: string): { date: string; time: string } {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)
  return { date: local.toPlainDate().toString(), time: local.toPlainTime().toString().slice(0, 5) }
}

const quarterHour = 15 * 60_000

/** An hour from now, at a full quarter. */
export const inAnHour = (now: Date): Date =>
  new Date(Math.ceil(now.getTime() / quarterHour) * quarterHour + 3 * quarterHour)

const timeOf = ({ scheduledAt, createdAt }: ListedPost): string => scheduledAt ?? createdAt

const dayNames: Record<number, string> = { [-1]: 'Yesterday', 0: 'Today', 1: 'Tomorrow' }

function headingOf(at: string, zone: string, now: Date): Pick<Group, 'title' | 'note'> {
  const date = `${timeText(at, zone, 'date')}${yearOf(at, zone, now)}`
  const name = dayNames[daysFrom(now, at, zone)]
  return name ? { title: name, note: date } : { title: date, note: null }
}

const yearOf = (at: string, zone: string, now: Date): string => {
  const { year } = plainDate(at, zone)
  return year === plainDate(now, zone).year ? '' : ` ${year}`
}

const daysFrom = (now: Date, at: string, zone: string): number =>
  plainDate(now, zone).until(plainDate(at, zone)).total('days')

const plainDate = (at: Date | string, zone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(new Date(at).getTime()).toZonedDateTimeISO(zone).toPlainDate()
