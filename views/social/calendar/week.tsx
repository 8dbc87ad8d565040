import type { FreeSlot } from '#social/types'
import { calendarHref, format, newPostHref } from './calendar-days.ts'
import { eventHeight, hoursOf, layOut } from './calendar-events.ts'
import { Event } from './event.tsx'
import { FreeSlotLink } from './free-slot.tsx'
import type { GridProps } from './month.tsx'

interface WeekProps extends GridProps {
  /** The time of the brand now, as `2026-11-21T10:12`. */
  localNow: string
}

export const Week = (props: WeekProps) => {
  const hours = hoursShown(props)
  return (
    <div class="scroll-x" tabindex="0" role="region" aria-label="Week">
      <div class="week" style={`--from: ${hours[0] ?? 0}; --hours: ${hours.length}`}>
        <div class="dow" />
        {props.range.days.map((day) => (
          <Head {...props} day={day} />
        ))}
        <ol class="hours" aria-hidden="true">
          {hours.map((hour) => (
            <li safe>{`${String(hour).padStart(2, '0')}:00`}</li>
          ))}
        </ol>
        <>
          {props.range.days.map((day) => (
            <Column {...props} day={day} hours={hours} />
          ))}
        </>
      </div>
    </div>
  )
}

/** From 8 to 20, and more where there are posts or free slots. */
function hoursShown({ events, freeSlots, range }: WeekProps): number[] {
  const times = range.days.flatMap((day) => [
    ...(events.get(day) ?? []).map(({ post }) => hoursOf(post)),
    ...(freeSlots.get(day) ?? []).map(hoursOf),
  ])
  const first = Math.floor(Math.min(8, ...times))
  const end = Math.min(24, Math.ceil(Math.max(20, ...times.map((at) => at + 1))))
  return Array.from({ length: end - first }, (_, nth) => first + nth)
}

type OfDay = WeekProps & { day: string }

const Head = ({ day, today, holidays, place, canCreate }: OfDay) => {
  const holiday = holidays.get(day)
  return (
    <div class="dow" data-today={day === today}>
      <span safe>{format.weekday(day)}</span>
      <b aria-current={day === today ? 'date' : undefined}>{Number(day.slice(8))}</b>
      {holiday ? (
        <small class="truncate" title={holiday} safe>
          {holiday}
        </small>
      ) : null}
      {canCreate && day >= today ? (
        <a class="more" href={newPostHref(place, day)} aria-label={`New post on ${format.weekdayAndDay(day)}`}>
          +
        </a>
      ) : null}
    </div>
  )
}

const Column = (props: OfDay & { hours: number[] }) => {
  const { day, today, localNow, zone, place } = props
  const { placed, more } = layOut(props.events.get(day) ?? [])
  const free = besideEvents(props.freeSlots.get(day) ?? [], placed)
  return (
    <div
      class="col"
      id={`day-${day}`}
      role="group"
      aria-label={`${format.weekdayAndDay(day)}${day === today ? ', today' : ''}`}
      data-date={day}
      data-today={day === today}
    >
      <Slots {...props} />
      {day === today ? (
        <span class="now" style={`--at: ${hoursOf({ localTime: localNow }).toFixed(2)}`} aria-hidden="true" />
      ) : null}
      <>
        {free.map((slot) => (
          <FreeSlotLink
            slot={slot}
            place={place}
            zone={zone}
            style={`--at: ${hoursOf(slot).toFixed(2)}; --shift: 0; --of: 1`}
          />
        ))}
        {placed.map(({ event, at, column, of }) => (
          <Event
            event={event}
            zone={zone}
            view="week"
            style={`--at: ${at.toFixed(2)}; --shift: ${column}; --of: ${of}`}
          />
        ))}
      </>
      {more.map(({ at, count, of }) => (
        <a
          class="event more"
          style={`--at: ${at.toFixed(2)}; --shift: ${of - 1}; --of: ${of}`}
          href={calendarHref(place, { view: 'agenda', date: day })}
          safe
        >{`${count} more`}</a>
      ))}
    </div>
  )
}

/** Without those that a post would cover. */
const besideEvents = (slots: readonly FreeSlot[], placed: readonly { at: number }[]): FreeSlot[] =>
  slots.filter((slot) => placed.every(({ at }) => Math.abs(at - hoursOf(slot)) >= eventHeight))

/** Hours that lead to a new post, for the mouse: the keyboard has the link of the day. */
const Slots = ({ day, hours, localNow, canCreate, place }: OfDay & { hours: number[] }) => (
  <>
    {canCreate
      ? hours
          .map((hour) => `${day}T${String(hour).padStart(2, '0')}:00`)
          .filter((at) => at > localNow)
          .map((at) => (
            <a
              class="slot"
              style={`--at: ${Number(at.slice(11, 13))}`}
              href={newPostHref(place, at)}
              tabindex="-1"
              aria-hidden="true"
              draggable="false"
            />
          ))
      : null}
  </>
)
