import type { Person } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { viewerZone } from '#views/ui/time.tsx'
import { auditPageSize, objectNames, type AuditFilter } from './audit-filter.ts'

interface AuditFiltersProps {
  filter: AuditFilter
  people: Person[]
}

/** Any browser can send it; htmx sends it on each change. */
export const AuditFilters = ({ filter, people }: AuditFiltersProps) => (
  <form
    class="filters"
    role="search"
    aria-label="Filter the log"
    action="/settings/audit"
    hx-get="/api/audit"
    hx-vals={JSON.stringify({ limit: auditPageSize, timeZone: viewerZone() })}
    hx-target="#audit-events"
    hx-swap="outerMorph"
    hx-sync="this:replace"
    hx-trigger="change delay:300ms, submit"
  >
    <Choice
      name="principalId"
      label="Who"
      all="All members"
      value={filter.principalId}
      options={people.map(({ id, name }) => [id, name])}
    />
    <Choice name="object" label="About" all="All events" value={filter.object} options={Object.entries(objectNames)} />
    <Day name="from" label="From" value={filter.from} />
    <Day name="to" label="To" value={filter.to} />
    <noscript>
      <Button label="Filter" type="submit" />
    </noscript>
  </form>
)

interface ChoiceProps {
  name: string
  label: string
  all: string
  value?: string
  options: [value: string, label: string][]
}

const Choice = ({ name, label, all, value, options }: ChoiceProps) => (
  <select class="chip" data-dashed name={name} aria-label={label}>
    <option value="" safe>
      {all}
    </option>
    <>
      {options.map(([own, word]) => (
        <option value={own} selected={own === value} safe>
          {word}
        </option>
      ))}
    </>
  </select>
)

const Day = ({ name, label, value }: { name: string; label: string; value?: string }) => (
  <label class="input">
    <small class="muted" safe>
      {label}
    </small>
    <input type="date" name={name} value={value} />
  </label>
)
