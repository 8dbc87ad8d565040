import type { Filter, WorkflowEvent } from '#dashboard/types'
import { Fold } from '#views/ui/fold.tsx'
import { SelectField } from '#views/ui/form.tsx'

const maxFilters = 5

const operators: [Filter['operator'], string][] = [
  ['equals', 'is'],
  ['not_equals', 'is not'],
  ['contains', 'contains'],
  ['greater_than', 'is greater than'],
  ['less_than', 'is less than'],
]

export const conditionText = ({ field, operator, value }: Filter): string => {
  const [, words = ''] = operators.find(([each]) => each === operator) ?? []
  return `If ${field} ${words} ${value === '' ? 'empty' : value}`
}

interface EventFieldProps {
  events: WorkflowEvent[]
  value?: string
}

/** Choosing another event replaces `FilterFields`, whose fields are those of the event. */
export const EventField = ({ events, value }: EventFieldProps) => (
  <SelectField
    label="Event"
    name="trigger.event"
    id="workflow-event"
    options={events
      .filter(({ can, type }) => can.use || type === value)
      .map(({ type, summary }) => ({ value: type, label: summary }))}
    value={value}
    hx-get="/api/workflows/event"
    hx-trigger="change"
    hx-target="#workflow-filter"
    hx-swap="outerHTML"
  />
)

interface FilterFieldsProps {
  fields: readonly string[]
  filter?: readonly Filter[]
}

/** A condition without a field is left out. */
export const FilterFields = ({ fields, filter = [] }: FilterFieldsProps) => {
  const rows = Array.from({ length: Math.min(maxFilters, filter.length + 1) }, (_, at) => filter[at])
  return (
    <div id="workflow-filter" class="stack">
      <fieldset class="field">
        <legend>Conditions</legend>
        {rows.map((row, at) => (
          <Condition fields={fields} at={at} row={row} />
        ))}
        <small>Runs only if all conditions match. Amounts are in the smallest unit, such as cents.</small>
      </fieldset>
      {fields.length > 0 ? (
        <Fold summary="Fields for texts">
          <p class="wrap-anywhere small" safe>
            {fields.map((field) => `{{data.${field}}}`).join(' ')}
          </p>
        </Fold>
      ) : null}
    </div>
  )
}

const Condition = ({ fields, at, row }: { fields: readonly string[]; at: number; row: Filter | undefined }) => {
  const [name, number] = [`trigger.filter[${at}]`, at + 1]
  return (
    <div class="condition">
      <select
        class="input"
        name={`${name}.field`}
        id={`filter-${at}-field`}
        aria-label={`Field of condition ${number}`}
      >
        <option value="">No condition</option>
        {fields.map((field) => (
          <option value={field} selected={field === row?.field} safe>
            {field}
          </option>
        ))}
      </select>
      <select class="input" name={`${name}.operator`} aria-label={`Comparison of condition ${number}`}>
        {operators.map(([operator, label]) => (
          <option value={operator} selected={operator === row?.operator} safe>
            {label}
          </option>
        ))}
      </select>
      <input
        class="input"
        name={`${name}.value`}
        id={`filter-${at}-value`}
        aria-label={`Value of condition ${number}`}
        value={row === undefined ? '' : String(row.value)}
        maxlength={500}
        autocomplete="off"
      />
    </div>
  )
}
