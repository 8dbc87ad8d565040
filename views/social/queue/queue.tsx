import { ButtonLink } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { timeText, zoneName } from '#views/ui/time.tsx'
import { daysFrom, newPostHref, titleOf } from '../calendar/calendar-days.ts'
import { PlanViews } from '../calendar/plan-views.tsx'
import { dayKey, postsTopic } from '../posts/post-text.ts'
import type { QueuePageProps } from './props.ts'
import { QueueDays } from './queue-board.tsx'
import { queueHref } from './queue-days.ts'
import { QueueFilters } from './queue-filters.tsx'
import { QueueNotices } from './queue-notices.tsx'
import { WeeklySlots } from './weekly-slots.tsx'

export const QueuePage = (props: QueuePageProps) => {
  const { place, at, queue, brand } = props
  const days = daysFrom(
    Temporal.PlainDate.from(queue.from),
    Temporal.PlainDate.from(queue.from).until(queue.to).days + 1,
  )
  const move = (by: number) => Temporal.PlainDate.from(queue.from).add({ days: by }).toString()
  const today = dayKey(at.now, at.zone)
  return (
    <>
      <header class="page-header">
        <h1 safe>{`Queue: ${titleOf(days)}`}</h1>
        <span class="row" style="--gap: 2px">
          {queue.from > today ? (
            <ButtonLink
              label="Previous days"
              icon="chevron-left"
              iconOnly
              variant="ghost"
              href={queueHref(place, { date: move(-days.length) })}
            />
          ) : null}
          {queue.nextCursor ? (
            <ButtonLink
              label="Next days"
              icon="chevron-right"
              iconOnly
              variant="ghost"
              href={queueHref(place, { date: move(days.length) })}
            />
          ) : null}
        </span>
        <ButtonLink label="Today" size="sm" href={queueHref(place, { date: undefined })} />
        <div class="actions">
          <PlanViews place={place} current="queue" />
        </div>
      </header>
      <queue-board
        class="calendar"
        id="queue"
        hx-get={queueHref(place)}
        data-live={postsTopic(place.brandId)}
        hx-trigger="live"
        hx-target="this"
        hx-select="#queue"
        hx-swap="outerMorph"
      >
        <div class="page stack" style="--measure: none; --gap: 1rem">
          <div class="row" data-wrap style="--gap: .5rem 1rem">
            <NextFree {...props} />
            <QueueFilters {...props} />
          </div>
          <QueueNotices {...props} />
        </div>
        <QueueDays {...props} days={days} today={today} />
        {brand ? <WeeklySlots brand={brand} /> : null}
      </queue-board>
    </>
  )
}

const NextFree = ({ place, at: { zone, now }, queue: { nextFree, can } }: QueuePageProps) => (
  <>
    <p class="row grow">
      <Icon name="calendar-clock" />
      <span>
        <b safe>{freeText(nextFree, zone)}</b>{' '}
        <small class="muted" safe>{`Times in ${zone} (${zoneName(now, zone)})`}</small>
      </span>
    </p>
    {nextFree && can.create ? (
      <ButtonLink
        label="Fill this slot"
        icon="pen-line"
        variant="primary"
        href={newPostHref({ brandId: place.brandId, view: 'queue' }, localTimeOf(nextFree, zone))}
      />
    ) : null}
  </>
)

const freeText = (nextFree: string | null, zone: string): string =>
  nextFree ? `Next free slot: ${timeText(nextFree, zone, 'date')}, ${timeText(nextFree, zone, 'time')}` : 'No free slot'

const localTimeOf = (at: string, zone: string): string =>
  Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'minute' })
