import { Button } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'

interface AdminSearchProps {
  /** The path of the page; that of its operation has `/api` in front. */
  path: string
  /** What it searches, such as `Search people`. */
  label: string
  field: { name: string; label: string; value?: string; maxlength: number }
  /** A filter with few choices. */
  segments?: { name: string; label: string; options: { value: string; label: string }[]; value?: string }
  choices?: readonly Choice[]
  /** The id of the list that it replaces. */
  list: string
}

interface Choice {
  name: string
  label: string
  /** The first option, which filters nothing. */
  all: string
  options: Readonly<Record<string, string>>
  value?: string
}

/** Rows of a page of a list. */
export const adminPageSize = 50

/** Searches a list of super admins: a form that any browser can send, and that sends itself where htmx runs. */
export const AdminSearch = ({ path, label, field, segments, choices = [], list }: AdminSearchProps) => (
  <form
    class="filters"
    role="search"
    aria-label={label}
    action={path}
    hx-get={`/api${path}`}
    hx-vals={JSON.stringify({ limit: adminPageSize })}
    hx-target={`#${list}`}
    hx-swap="outerMorph"
    hx-push-url="true"
    hx-sync="this:replace"
    hx-trigger="input delay:300ms, submit"
  >
    <label class="input">
      <Icon name="search" />
      <input
        type="search"
        name={field.name}
        aria-label={field.label}
        placeholder={field.label}
        value={field.value ?? ''}
        maxlength={field.maxlength}
        autocomplete="off"
      />
    </label>
    {segments ? <Segments {...segments} /> : null}
    {choices.map((choice) => (
      <Select {...choice} />
    ))}
    <noscript>
      <Button label="Search" type="submit" />
    </noscript>
  </form>
)

const Select = ({ name, label, all, options, value }: Choice) => (
  <select class="input" name={name} aria-label={label}>
    <option value="" safe>
      {all}
    </option>
    {Object.entries(options).map(([option, word]) => (
      <option value={option} selected={option === value} safe>
        {word}
      </option>
    ))}
  </select>
)

const Segments = ({ name, label, options, value = '' }: NonNullable<AdminSearchProps['segments']>) => (
  <div class="segments" role="group" aria-label={label}>
    {options.map((option) => (
      <label>
        <input class="visually-hidden" type="radio" name={name} value={option.value} checked={option.value === value} />
        <span safe>{option.label}</span>
      </label>
    ))}
  </div>
)
