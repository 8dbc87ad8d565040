import { Button } from '#views/ui/button.tsx'
import { viewerZone } from '#views/ui/time.tsx'
import { auditPageSize, spellOut, type AuditFilter, type AuditPlace } from './filter.ts'

interface AuditFiltersProps {
  place: AuditPlace
  filter: AuditFilter
  /** Those who did something. */
  people: readonly { id: string; name: string }[]
  /** The names of operations, where one can be chosen. */
  operations?: readonly string[]
}

/** Any browser can send it; htmx sends it on each change. */
export const AuditFilters = ({ place, filter, people, operations = [] }: AuditFiltersProps) => (
  <form
    class="filters"
    role="search"
    aria-label="Filter the log"
    action={place.page}
    hx-get={place.list}
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
    <Choice
      name="object"
      label="About"
      all="All events"
      value={filter.object}
      options={Object.entries(place.objects)}
    />
    {operations.length > 0 ? (
      <Choice
        name="operation"
        label="Operation"
        all="All operations"
        value={filter.operation}
        options={operations.map((name) => [name, spellOut(name)])}
      />
    ) : null}
    <Choice
      name="outcome"
      label="Outcome"
      all="All outcomes"
      value={filter.outcome}
      options={[
        ['done', 'Done'],
        ['refused', 'Denied'],
      ]}
    />
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
