import type { CalendarPost, QueueTime } from '#social/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { timeText } from '#views/ui/time.tsx'
import { describeChangedSlot } from '../brands/clock-changes.ts'
import { calendarHref, format, newPostHref } from '../calendar/calendar-days.ts'
import { eventsByDay } from '../calendar/calendar-events.ts'
import { Event } from '../calendar/event.tsx'
import { FreeSlotLink } from '../calendar/free-slot.tsx'
import { moveHref } from './queue-days.ts'
import type { QueuePageProps } from './props.ts'
import { shorten, type ShortenedDay } from './shorten.ts'

interface DaysProps extends QueuePageProps {
  days: readonly string[]
  /** The day of the brand. */
  today: string
}

export const QueueDays = (props: DaysProps) => {
  const byDay = Map.groupBy(props.queue.items, ({ localTime }) => localTime.slice(0, 10))
  return (
    <div class="month" data-slots role="group" aria-label={`Queue of ${props.at.brand.name}`}>
      {props.days.map((day) => (
        <div class="dow" aria-hidden="true" safe>
          {format.weekday(day)}
        </div>
      ))}
      <>
        {props.days.map((day) => (
          <Day {...props} day={day} {...shorten(byDay.get(day) ?? [])} />
        ))}
      </>
    </div>
  )
}

type DayProps = DaysProps & ShortenedDay & { day: string }

const Day = ({ day, times, hidden, ...props }: DayProps) => {
  const { today, place, queue } = props
  return (
    <div
      class="day"
      id={`day-${day}`}
      role="group"
      aria-label={`${format.weekdayAndDay(day)}${day === today ? ', today' : ''}`}
      data-today={day === today}
    >
      <header>
        <time datetime={day} aria-current={day === today ? 'date' : undefined}>
          {Number(day.slice(8))}
        </time>
        <small class="dow-narrow" safe>
          {format.weekday(day)}
        </small>
        {queue.can.create ? (
          <ButtonLink
            label={`New post on ${format.weekdayAndDay(day)}`}
            icon="plus"
            iconOnly
            variant="ghost"
            href={newPostHref({ brandId: place.brandId, view: 'queue' }, day)}
          />
        ) : null}
      </header>
      <>
        {times.map((time) => (
          <>
            <Time {...props} time={time} />
            {time.clockChange ? (
              <p class="small muted" safe>
                {describeChangedSlot(time.clockChange)}
              </p>
            ) : null}
          </>
        ))}
      </>
      {hidden > 0 ? (
        <a class="more" href={calendarHref({ ...place, view: 'agenda', date: day })} safe>
          {`${hidden} more`}
        </a>
      ) : null}
      {times.length === 0 ? <p class="muted small none">No posts</p> : null}
    </div>
  )
}

const Time = ({ time, place, at: { zone }, queue }: DaysProps & { time: QueueTime }) => {
  const { posts, isSlot, isFree, at } = time
  if (posts.length > 0)
    return (
      <>
        {[...eventsByDay(posts).values()].flat().map((event) => (
          <Event
            event={event}
            zone={zone}
            view="queue"
            to={isSlot ? at : undefined}
            controls={<MoveControls {...time} post={event.post} />}
          />
        ))}
      </>
    )
  if (queue.can.create && isFree)
    return (
      <FreeSlotLink
        slot={time}
        place={{ brandId: place.brandId, view: 'queue' }}
        zone={zone}
        to={at}
        isNext={at === queue.nextFree}
      />
    )
  return <Taken {...time} zone={zone} />
}

/** A slot that the reader can't fill, or whose posts the filters hide. */
const Taken = ({ at, isFree, zone }: QueueTime & { zone: string }) => (
  <div class="event" data-slot data-to={at}>
    <time datetime={at} safe>
      {timeText(at, zone, 'time')}
    </time>
    <span>{isFree ? 'Free slot' : 'Other posts'}</span>
  </div>
)

/** To the slot before or after, without scripts, too; the link leads to all slots. */
const MoveControls = ({ post, previousSlot, nextSlot }: QueueTime & { post: CalendarPost }) => {
  const name = post.excerpt.slice(0, 60) || 'post without text'
  return (
    <Form class="moves" hx-post="/api/queue/moves">
      <input type="hidden" name="postId" value={post.id} />
      <input type="hidden" name="version" value={String(post.version)} />
      {previousSlot ? (
        <MoveButton id={`earlier-${post.id}`} label={`Move ${name} earlier`} icon="arrow-left" to={previousSlot} />
      ) : null}
      {nextSlot ? (
        <MoveButton id={`later-${post.id}`} label={`Move ${name} later`} icon="arrow-right" to={nextSlot} />
      ) : null}
      <ButtonLink
        label={`Choose a slot for ${name}`}
        icon="calendar-clock"
        iconOnly
        variant="ghost"
        href={moveHref(post)}
        draggable="false"
      />
    </Form>
  )
}

interface MoveButtonProps {
  id: string
  label: string
  icon: 'arrow-left' | 'arrow-right'
  /** The slot. */
  to: string
}

const MoveButton = ({ to, ...look }: MoveButtonProps) => (
  <Button {...look} iconOnly variant="ghost" type="submit" name="to" value={to} />
)
