import type { FreeSlot } from '#social/types'
import { ButtonLink } from '#views/ui/button.tsx'
import { calendarHref, format, newPostHref, type CalendarPlace, type CalendarRange } from './calendar-days.ts'
import type { CalendarEvent } from './calendar-events.ts'
import { Event } from './event.tsx'
import { FreeSlotLink } from './free-slot.tsx'

export interface GridProps {
  place: CalendarPlace
  range: CalendarRange
  zone: string
  /** The day of the brand. */
  today: string
  events: ReadonlyMap<string, CalendarEvent[]>
  /** Of the queue. */
  freeSlots: ReadonlyMap<string, FreeSlot[]>
  holidays: ReadonlyMap<string, string>
  canCreate: boolean
}

const maxPerDay = 3

export const Month = (props: GridProps) => (
  <div class="month">
    {props.range.days.slice(0, 7).map((day) => (
      <div class="dow" aria-hidden="true" safe>
        {format.weekday(day)}
      </div>
    ))}
    <>
      {props.range.days.map((day) => (
        <Day {...props} day={day} max={maxPerDay} />
      ))}
    </>
  </div>
)

/** The days that have something. */
export const Agenda = (props: GridProps) => (
  <div class="month agenda">
    {props.range.days
      .filter(
        (day) => props.events.has(day) || props.freeSlots.has(day) || props.holidays.has(day) || day === props.today,
      )
      .map((day) => (
        <Day {...props} day={day} max={Infinity} />
      ))}
  </div>
)

const Day = ({ day, max, ...props }: GridProps & { day: string; max: number }) => {
  const { place, range, zone, today, holidays, canCreate } = props
  const events = props.events.get(day) ?? []
  const shown = events.slice(0, max)
  const free = (props.freeSlots.get(day) ?? []).slice(0, max - shown.length)
  const holiday = holidays.get(day)
  return (
    <div
      class="day"
      id={`day-${day}`}
      role="group"
      aria-label={`${format.weekdayAndDay(day)}${day === today ? ', today' : ''}`}
      data-date={day}
      data-outside={range.month !== null && !day.startsWith(range.month)}
      data-today={day === today}
    >
      <header>
        <time datetime={day} aria-current={day === today ? 'date' : undefined}>
          {Number(day.slice(8))}
        </time>
        <small class="dow-narrow" safe>
          {range.month === null ? format.weekdayAndDay(day) : format.weekday(day)}
        </small>
        {holiday ? (
          <small class="truncate muted" title={holiday} safe>
            {holiday}
          </small>
        ) : null}
        {canCreate && day >= today ? (
          <ButtonLink
            label={`New post on ${format.weekdayAndDay(day)}`}
            icon="plus"
            iconOnly
            variant="ghost"
            href={newPostHref(place, day)}
            aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown"
          />
        ) : null}
      </header>
      <>
        {[...shown, ...free]
          .toSorted(byTime)
          .map((one) =>
            'post' in one ? (
              <Event event={one} zone={zone} view={range.view} />
            ) : (
              <FreeSlotLink slot={one} place={place} zone={zone} />
            ),
          )}
      </>
      {events.length > shown.length ? (
        <a class="more" href={calendarHref(place, { view: 'agenda', date: day })} safe>
          {`${events.length - shown.length} more`}
        </a>
      ) : null}
      {events.length + free.length === 0 && range.view === 'agenda' ? <p class="muted small">No posts</p> : null}
    </div>
  )
}

const timeOf = (one: CalendarEvent | FreeSlot): string => ('post' in one ? one.post.localTime : one.localTime)
const byTime = (one: CalendarEvent | FreeSlot, other: CalendarEvent | FreeSlot): number =>
  timeOf(one).localeCompare(timeOf(other))
