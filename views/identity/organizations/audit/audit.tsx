import type { AuditEvent, AuditFilter as ListFilter, Person } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { listHref, Pager } from '#views/ui/lists.tsx'
import { TimesIn, timeText, viewerZone } from '#views/ui/time.tsx'
import { AuditEntry } from './audit-entry.tsx'
import { auditHref, daysOf, type AuditFilter } from './audit-filter.ts'
import { AuditFilters } from './audit-filters.tsx'
import { exportDialog, ExportDialog } from './export-dialog.tsx'

/** The filters and page size of the list. */
interface AuditQuery extends ListFilter {
  limit: number
}

interface AuditListProps {
  events: AuditEvent[]
  nextCursor: string | null
  query: AuditQuery
  now: Date
}

export interface AuditProps extends AuditListProps {
  filter: AuditFilter
  /** The choices of the filter by member. */
  people: Person[]
}

/** The audit log of the organization, newest first, with its filters. */
export const Audit = ({ filter, people, ...list }: AuditProps) => (
  <>
    <header class="page-header">
      <h1>
        Audit log
        <TimesIn />
      </h1>
      <div class="actions">
        <Button label="Export" icon="download" commandfor={exportDialog} command="show-modal" />
      </div>
    </header>
    <div class="page stack" style="--measure: 72rem; --gap: var(--space-6)">
      <AuditFilters filter={filter} people={people} />
      <AuditList {...list} />
      <ExportDialog filter={filter} />
    </div>
  </>
)

/** Audit events by day. */
export const AuditList = (props: AuditListProps) => (
  <div class="stack" id="audit-events" style="--gap: var(--space-6)">
    {isFiltered(props.query) && props.events.length > 0 ? (
      <p class="small muted">
        Only events that match the filters.{' '}
        <a class="link" href={auditHref({})}>
          Clear filters
        </a>
      </p>
    ) : null}
    {props.events.length > 0 ? <Days {...props} /> : <NoEvents {...props} />}
  </div>
)

const isFiltered = ({ principalId, object, objectId, operation, from, to }: AuditQuery): boolean =>
  [principalId, object, objectId, operation, from, to].some(Boolean)

const NoEvents = ({ query }: AuditListProps) =>
  isFiltered(query) ? (
    <Empty icon="history" title="No results" text="No events match these filters.">
      <ButtonLink label="Clear filters" href={auditHref({})} />
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
          <AuditEntry event={event} />
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

const More = ({ events, nextCursor, query }: AuditListProps) => {
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
        next={auditHref(daysOf(query), { cursor: nextCursor })}
        hx-get={listHref('/api/audit', { ...filter, cursor: nextCursor })}
        hx-target="closest li"
        hx-select=".entries > li"
        hx-swap="outerHTML"
      />
    </li>
  )
}
