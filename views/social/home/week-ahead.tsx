import type { DayAhead } from '#social/types'
import { NetworkMark } from '#views/ui/marks.tsx'
import { networkNames, type Place } from '../posts/post-text.ts'
import { calendarHref } from '../calendar/calendar-days.ts'
import { newPostHref } from '../calendar/calendar-days.ts'
import type { HomeProps } from './props.ts'

export const WeekAhead = ({ dashboard: { week }, place }: HomeProps) => (
  <section class="section" aria-labelledby="home-week">
    <header>
      <h2 id="home-week">Week ahead</h2>
      <a class="link small" href={calendarHref({ brandId: place.brand.id, view: 'week' })}>
        Calendar
      </a>
    </header>
    <ol class="week-ahead">
      {week.map((day) => (
        <Day day={day} place={place} />
      ))}
    </ol>
  </section>
)

const Day = ({ day: { day, posts, providers, freeSlots }, place }: { day: DayAhead; place: Place }) => {
  const date = Temporal.PlainDate.from(day)
  const slots = freeSlots === 0 ? '' : freeSlots === 1 ? '1 free slot' : `${freeSlots} free slots`
  const link =
    posts === 0
      ? { href: newPostHref({ brandId: place.brand.id, view: 'week' }, day), text: 'Write a post' }
      : {
          href: `${calendarHref({ brandId: place.brand.id, view: 'week', date: day })}#day-${day}`,
          text: posts === 1 ? '1 post' : `${posts} posts`,
        }
  return (
    <li data-empty={posts === 0}>
      <small class="muted">
        <time datetime={day}>
          <span safe>{date.toLocaleString('en', { weekday: 'short' })}</span>
          <b safe>{String(date.day)}</b>
        </time>
      </small>
      {posts > 0 ? (
        <span class="row">
          {providers.map((provider) => (
            <NetworkMark network={provider} label={networkNames[provider]} />
          ))}
        </span>
      ) : null}
      {slots === '' ? null : (
        <small class="muted" safe>
          {slots}
        </small>
      )}
      <small>
        <a href={link.href} aria-label={`${link.text}, ${date.toLocaleString('en', longDay)}`} safe>
          {link.text}
        </a>
      </small>
    </li>
  )
}

const longDay = { weekday: 'long', day: 'numeric', month: 'long' } as const
