import { queueHref } from '../queue/queue-days.ts'
import { calendarHref, planViews, type CalendarPlace, type PlanView } from './calendar-days.ts'

interface PlanViewsProps {
  place: CalendarPlace
  current: PlanView
}

const names = { month: 'Month', week: 'Week', agenda: 'Agenda', queue: 'Queue' } as const

/** The calendar in its views, and the queue. */
export const PlanViews = ({ place, current }: PlanViewsProps) => (
  <nav class="segments" aria-label="View">
    {planViews.map((view) => (
      <a
        href={view === 'queue' ? queueHref(place) : calendarHref(place, { view })}
        aria-current={view === current ? 'page' : undefined}
      >
        {names[view]}
      </a>
    ))}
  </nav>
)
