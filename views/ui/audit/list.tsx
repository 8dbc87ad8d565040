import type { AuditEvent, AuditFilter as ListFilter } from '#lib/audit/contract.ts'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { listHref, Pager } from '#views/ui/lists.tsx'
import { timeText, viewerZone } from '#views/ui/time.tsx'
import { AuditEntry } from './entry.tsx'
import { auditHref, daysOf, type AuditPlace } from './filter.ts'

/** The filters and page size of the list. */
interface AuditQuery extends ListFilter {
  limit: number
}

export interface AuditListProps {
  place: AuditPlace
  events: AuditEvent[]
  nextCursor: string | null
  query: AuditQuery
  now: Date
}

/** Audit events by day. */
export const AuditList = (props: AuditListProps) => (
  <div class="stack" id="audit-events" style="--gap: var(--space-6)">
    {isFiltered(props.query) && props.events.length > 0 ? (
      <p class="small muted">
        Only events that match the filters.{' '}
        <a class="link" href={auditHref(props.place, {})}>
          Clear filters
        </a>
      </p>
    ) : null}
    {props.events.length > 0 ? <Days {...props} /> : <NoEvents {...props} />}
  </div>
)

const isFiltered = ({ principalId, object, objectId, operation, outcome, from, to }: AuditQuery): boolean =>
  [principalId, object, objectId, operation, outcome, from, to].some(Boolean)

const NoEvents = ({ query, place }: AuditListProps) =>
  isFiltered(query) ? (
    <Empty icon="history" title="No results" text="No events match these filters.">
      <ButtonLink label="Clear filters" href={auditHref(place, {})} />
    </Empty>
  ) : (
    <Empty icon="history" title="No events yet" text="Changes in this organization will appear here." />
  )

const Days = (props: AuditListProps) => (
  <ul class="entries bleed" role="list">
    {[...Map.groupBy(props.events, ({ at }) => dayOf(at))].map(([day, events]) => (
      <>
        <Heading day={day} now={props.now} />
        {events.map((event) => (
          <AuditEntry place={props.place} event={event} />
        ))}
      </>
    ))}
    <More {...props} />
  </ul>
)

const Heading = ({ day, now }: { day: string; now: Date }) => {
  const name = nameOf(day, now)
  return (
    <li data-group>
      <h2 safe>{name ?? day}</h2>
      {name ? (
        <small class="muted" safe>
          {day}
        </small>
      ) : null}
    </li>
  )
}

const dayOf = (at: string | Date): string => timeText(at, viewerZone(), 'longDate')
const dayMs = 24 * 60 * 60 * 1000

function nameOf(day: string, now: Date): string | null {
  if (day === dayOf(now)) return 'Today'
  return day === dayOf(new Date(now.getTime() - dayMs)) ? 'Yesterday' : null
}

const textOf = (time: string | Date | undefined) => (time instanceof Date ? time.toISOString() : time)

const More = ({ place, events, nextCursor, query }: AuditListProps) => {
  if (!nextCursor) return <></>
  const { limit, from, to, ...others } = query
  const all = { ...others, from: textOf(from), to: textOf(to), limit: String(limit) }
  // Of this list; the link has that of the next one, at the same place for the page and its fragment.
  const filter = Object.fromEntries(Object.entries(all).filter(([name]) => name !== 'cursor'))
  return (
    <li class="more">
      <Pager
        label="More events"
        summary={`${events.length} shown`}
        next={auditHref(place, daysOf(query), { cursor: nextCursor })}
        hx-get={listHref(place.list, { ...filter, cursor: nextCursor })}
        hx-target="closest li"
        hx-select=".entries > li"
        hx-swap="outerHTML"
      />
    </li>
  )
}
