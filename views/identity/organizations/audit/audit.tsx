import { viewerZoneName } from '#views/ui/time.tsx'
import type { AuditEvent, AuditFilter as ListFilter, Person } from '#identity/types'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { MoreRows } from '#views/ui/lists.tsx'
import { address, auditHref, daysOf, type AuditFilter } from './audit-filter.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditRow } from './audit-row.tsx'

interface AuditQuery extends ListFilter {
  limit: number
}

interface AuditListProps {
  events: AuditEvent[]
  nextCursor: string | null
  query: AuditQuery
}

export interface AuditProps extends AuditListProps {
  filter: AuditFilter
  people: Person[]
  exportHref: string
}

export const Audit = ({ filter, people, exportHref, ...list }: AuditProps) => (
  <div class="page stack" style="--measure: 72rem">
    <section class="section" aria-labelledby="audit">
      <header>
        <h1 id="audit">Audit log</h1>
        <ButtonLink label="Export" icon="download" size="sm" href={exportHref} download="audit.ndjson" />
      </header>
      <AuditFilters filter={filter} people={people} />
      <AuditList {...list} />
    </section>
  </div>
)

export const AuditList = (props: AuditListProps) =>
  props.events.length > 0 ? (
    <div class="bleed">
      <Table {...props} />
    </div>
  ) : (
    <NoEvents {...props} />
  )

const isFiltered = ({ principalId, object, objectId, operation, from, to }: AuditQuery): boolean =>
  [principalId, object, objectId, operation, from, to].some(Boolean)

const NoEvents = ({ query }: AuditListProps) =>
  isFiltered(query) ? (
    <Empty icon="search" title="No results" text="No events match these filters.">
      <ButtonLink label="Clear filters" href={auditHref({})} />
    </Empty>
  ) : (
    <Empty icon="history" title="No events yet" text="Changes in this organization will appear here." />
  )

const Table = (props: AuditListProps) => (
  <table class="table audit" data-list>
    <caption class="visually-hidden" safe>{`Audit events, times in ${viewerZoneName()}`}</caption>
    <thead>
      <tr>
        <th scope="col" safe>{`Time (${viewerZoneName()})`}</th>
        <th scope="col">Who</th>
        <th scope="col">What</th>
        <th scope="col">From</th>
      </tr>
    </thead>
    <tbody>
      {props.events.map((event) => (
        <AuditRow event={event} />
      ))}
    </tbody>
    <More {...props} />
  </table>
)

const More = ({ events, nextCursor, query }: AuditListProps) => {
  if (!nextCursor) return <></>
  const { principalId, object, objectId, operation, from, to, limit } = query
  const filter = { principalId, object, objectId, operation, from: from?.toISOString(), to: to?.toISOString() }
  return (
    <MoreRows
      label="More events"
      summary={`${events.length} shown`}
      next={auditHref(daysOf(query), { cursor: nextCursor })}
      from={address('/api/audit', { ...filter, limit: String(limit), cursor: nextCursor })}
      columns={4}
    />
  )
}
