import type { Post } from '#social/types'
import { listHref } from '#views/ui/lists.tsx'

export const calendarViews = ['month', 'week', 'agenda'] as const
export type CalendarView = (typeof calendarViews)[number]

/** Where new posts are planned. */
export const planViews = [...calendarViews, 'queue'] as const
export type PlanView = (typeof planViews)[number]

/** What the calendar shows. Days are days of the brand, as `2026-11-21`. */
export interface CalendarPlace {
  brandId: string
  view?: CalendarView
  /** A day of the range; today when not set. */
  date?: string
  provider?: Post['provider']
  accountId?: string
  tag?: string
  campaign?: string
  authorId?: string
  status?: 'scheduled' | 'published' | 'failed'
  /** Whose public holidays are shown: a country, or `none`. */
  country?: string
}

export const calendarHref = (place: CalendarPlace, more: Partial<CalendarPlace> = {}): string => {
  const { view, ...rest } = { ...place, ...more }
  return listHref('/workspace/calendar', { ...rest, view: view === 'month' ? undefined : view })
}

/** The composer, which leads back to this calendar or queue. `at` is a day of the brand, or a day with a time. */
export const newPostHref = (
  { brandId, view = 'month' }: Pick<CalendarPlace, 'brandId'> & { view?: PlanView },
  at: string,
): string => listHref('/workspace/posts/new', { brandId, at, view: view === 'month' ? undefined : view })

export const isFiltered = ({ provider, accountId, tag, campaign, authorId, status }: CalendarPlace): boolean =>
  Boolean(provider ?? accountId ?? tag ?? campaign ?? authorId ?? status)

export interface CalendarRange {
  view: CalendarView
  title: string
  days: string[]
  /** Days that belong to the range before and after. */
  previous: string
  next: string
  /** The month of the grid, as `2026-11`; days of others are drawn as outside of it. */
  month: string | null
}

const agendaDays = 28

export function rangeOf(view: CalendarView, date: string): CalendarRange {
  const day = Temporal.PlainDate.from(date)
  if (view === 'month') return monthOf(day)
  const start = view === 'week' ? day.subtract({ days: day.dayOfWeek - 1 }) : day
  const length = view === 'week' ? 7 : agendaDays
  const days = daysFrom(start, length)
  return {
    view,
    title: titleOf(days),
    days,
    previous: start.subtract({ days: length }).toString(),
    next: start.add({ days: length }).toString(),
    month: null,
  }
}

function monthOf(day: Temporal.PlainDate): CalendarRange {
  const first = day.with({ day: 1 })
  const start = first.subtract({ days: first.dayOfWeek - 1 })
  const weeks = Math.ceil((first.dayOfWeek - 1 + first.daysInMonth) / 7)
  return {
    view: 'month',
    title: format.month(first.toString()),
    days: daysFrom(start, weeks * 7),
    previous: first.subtract({ months: 1 }).toString(),
    next: first.add({ months: 1 }).toString(),
    month: first.toString().slice(0, 7),
  }
}

export const daysFrom = (start: Temporal.PlainDate, length: number): string[] =>
  Array.from({ length }, (_, days) => start.add({ days }).toString())

/** `16 – 22 November 2026`, `30 November – 6 December 2026`. */
export function titleOf(days: readonly string[]): string {
  const [first = '', last = ''] = [days[0], days.at(-1)]
  if (first.slice(0, 7) === last.slice(0, 7)) return `${Number(first.slice(8))} – ${format.longDay(last)}`
  const start = first.slice(0, 4) === last.slice(0, 4) ? format.dayAndMonth(first) : format.longDay(first)
  return `${start} – ${format.longDay(last)}`
}

const words = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
  return (day: string): string => formatter.format(new Date(`${day}T00:00Z`)).replaceAll(',', '')
}

export const format = {
  /** November 2026 */
  month: words({ month: 'long', year: 'numeric' }),
  /** 21 November 2026 */
  longDay: words({ day: 'numeric', month: 'long', year: 'numeric' }),
  /** 21 November */
  dayAndMonth: words({ day: 'numeric', month: 'long' }),
  /** Saturday 21 November */
  weekdayAndDay: words({ weekday: 'long', day: 'numeric', month: 'long' }),
  /** Sat */
  weekday: words({ weekday: 'short' }),
}
