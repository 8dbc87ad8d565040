import type { AuditEntry, Person } from '#identity/types'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/empty.tsx'
import { MoreRows } from '#views/ui/more-rows.tsx'
import { auditHref, type AuditFilter } from './audit-filter.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditRow } from './audit-row.tsx'

export interface AuditProps {
  filter: AuditFilter
  /** Who can be chosen: the members. */
  people: Person[]
  entries: AuditEntry[]
  /** Names of those who acted. */
  names: ReadonlyMap<string, string>
  nextCursor: string | null
  /** Where the log is had as a file. */
  exportHref: string
}

/** Who did what in the organization, newest first. */
export const Audit = (props: AuditProps) => (
  <div class="page stack" style="--measure: 72rem">
    <section class="section" aria-labelledby="audit">
      <header>
        <h2 id="audit">Audit log</h2>
        <ButtonLink label="Export" icon="download" size="sm" href={props.exportHref} download="audit.ndjson" />
      </header>
      <AuditFilters filter={props.filter} people={props.people} />
      {props.entries.length > 0 ? (
        <div class="bleed">
          <Table {...props} />
        </div>
      ) : (
        <Nothing filter={props.filter} />
      )}
    </section>
  </div>
)

const Nothing = ({ filter }: Pick<AuditProps, 'filter'>) =>
  Object.values(filter).some(Boolean) ? (
    <Empty icon="search" title="No results" text="No events match these filters.">
      <ButtonLink label="Clear filters" href={auditHref({})} />
    </Empty>
  ) : (
    <Empty icon="history" title="No events yet" text="Changes in this organization will appear here." />
  )

const Table = (props: AuditProps) => (
  <table class="table audit" data-list>
    <caption class="visually-hidden">Audit events, times in UTC</caption>
    <thead>
      <tr>
        <th scope="col">Time (UTC)</th>
        <th scope="col">Who</th>
        <th scope="col">What</th>
        <th scope="col">From</th>
      </tr>
    </thead>
    <tbody>
      {props.entries.map((entry) => (
        <AuditRow entry={entry} name={props.names.get(entry.principal?.id ?? '')} />
      ))}
    </tbody>
    <More {...props} />
  </table>
)

const More = ({ filter, entries, nextCursor }: AuditProps) => {
  if (!nextCursor) return <></>
  const next = auditHref(filter, { cursor: nextCursor })
  return <MoreRows label="More events" summary={`${entries.length} shown`} next={next} columns={4} />
}
