import type { Calendar, CalendarFeed, FreeSlot, PostFilterOptions } from '#social/types'
import { counted } from '#lib/text.ts'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Empty, Notice } from '#views/ui/feedback.tsx'
import { viewerZone, zoneName } from '#views/ui/time.tsx'
import { postsTopic, wallTimeOf, type Place } from '../posts/post-text.ts'
import { calendarHref, isFiltered, newPostHref, rangeOf, type CalendarPlace } from './calendar-days.ts'
import { eventsByDay } from './calendar-events.ts'
import { CalendarFilters } from './calendar-filters.tsx'
import { Agenda, Month, type GridProps } from './month.tsx'
import { PlanViews } from './plan-views.tsx'
import { subscribeDialog, SubscribeDialog } from './subscribe.tsx'
import { Week } from './week.tsx'

export interface CalendarPageProps {
  place: CalendarPlace
  at: Place
  calendar: Calendar
  options: PostFilterOptions
  /** The addresses of the reader, one at most. */
  feeds: CalendarFeed[]
  countries: readonly string[]
  /** Of this page, with its brand. */
  address: string
}

export const CalendarPage = (props: CalendarPageProps) => {
  const { place, at, calendar, options, countries, address } = props
  const { view = 'month' } = place
  const { date: today, time } = wallTimeOf(at.now, at.zone)
  const range = rangeOf(view, place.date ?? today)
  return (
    <>
      <header class="page-header">
        <h1 safe>{range.title}</h1>
        <span class="row" style="--gap: 2px">
          <ButtonLink
            label={view === 'agenda' ? 'Previous four weeks' : `Previous ${view}`}
            icon="chevron-left"
            iconOnly
            variant="ghost"
            href={calendarHref(place, { date: range.previous })}
          />
          <ButtonLink
            label={view === 'agenda' ? 'Next four weeks' : `Next ${view}`}
            icon="chevron-right"
            iconOnly
            variant="ghost"
            href={calendarHref(place, { date: range.next })}
          />
        </span>
        <ButtonLink label="Today" size="sm" href={calendarHref(place, { date: undefined })} />
        <div class="actions">
          <PlanViews place={place} current={view} />
        </div>
      </header>
      <div class="page calendar-bar" style="--measure: none">
        <div class="row">
          <CalendarFilters place={place} options={options} countries={countries} country={calendar.country} />
          <Zones {...at} />
          <Button
            label="Subscribe"
            icon="rss"
            size="sm"
            variant="ghost"
            commandfor={subscribeDialog}
            command="show-modal"
          />
        </div>
      </div>
      <calendar-board
        class="calendar"
        id="calendar"
        data-view={view}
        hx-get={address}
        data-live={postsTopic(place.brandId)}
        hx-trigger="live"
        hx-target="this"
        hx-select="#calendar"
        hx-swap="outerMorph"
      >
        <Above {...props} today={today} />
        <Grid
          place={place}
          range={range}
          zone={at.zone}
          today={today}
          localNow={`${today}T${time}`}
          events={eventsByDay(calendar.items)}
          freeSlots={slotsByDay(place, calendar)}
          holidays={namesByDay(calendar.holidays)}
          canCreate={calendar.can.create}
        />
      </calendar-board>
      <SubscribeDialog brand={at.brand} feeds={props.feeds} />
    </>
  )
}

/** Of the brand, and of the reader where it is another one. */
const Zones = ({ zone, now }: Place) => {
  const own = viewerZone()
  return (
    <small class="muted wide-only" safe>
      {`Times in ${zone} (${zoneName(now, zone)})${own === zone ? '' : `, you are in ${own} (${zoneName(now, own)})`}`}
    </small>
  )
}

const Above = ({ place, calendar, today }: CalendarPageProps & { today: string }) => {
  const { items, omitted, can } = calendar
  if (omitted > 0)
    return (
      <div class="page" style="--measure: none">
        <Notice
          tone="warning"
          text={`${counted(omitted, 'post')}${omitted === 10_000 ? ' or more' : ''} of these days aren’t shown. Filter the calendar or choose a shorter view.`}
        />
      </div>
    )
  if (items.length > 0) return <></>
  if (isFiltered(place))
    return (
      <Empty small icon="search" title="No matching posts" text="No post of these days matches the filters.">
        <ButtonLink
          label="Clear filters"
          href={calendarHref({ brandId: place.brandId, view: place.view, date: place.date })}
        />
      </Empty>
    )
  return (
    <Empty small icon="calendar" title="No posts yet" text="Scheduled and published posts appear here on their day.">
      {can.create ? (
        <ButtonLink
          label="Create post"
          icon="pen-line"
          variant="primary"
          href={newPostHref(place, place.date && place.date > today ? place.date : today)}
        />
      ) : null}
    </Empty>
  )
}

const Grid = (props: GridProps & { localNow: string }) => {
  if (props.range.view === 'week') return <Week {...props} />
  return props.range.view === 'month' ? <Month {...props} /> : <Agenda {...props} />
}

/** For those who can fill them. With filters, a slot that seems free can have a post. */
const slotsByDay = (place: CalendarPlace, { freeSlots, can }: Calendar): Map<string, FreeSlot[]> =>
  can.create && !isFiltered(place) ? Map.groupBy(freeSlots, ({ localTime }) => localTime.slice(0, 10)) : new Map()

function namesByDay(holidays: Calendar['holidays']): Map<string, string> {
  const days = new Map<string, string>()
  for (const { date, name } of holidays) days.set(date, days.has(date) ? `${days.get(date)}, ${name}` : name)
  return days
}
