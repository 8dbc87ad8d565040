import type { Children } from '@kitajs/html'
import { Button } from '#views/ui/button.tsx'
import type { Option } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { listHref, Pager } from '#views/ui/lists.tsx'
import { viewerZone } from '#views/ui/time.tsx'

interface FilterFormProps {
  label: string
  /** The path of the page. */
  path: string
  search?: { placeholder: string; value?: string }
  /** Filters of other controls, such as tabs. */
  kept?: Record<string, string | undefined>
  /** The URL without these filters, when some are set. */
  clear?: string
  children?: Children
}

/** Applied as they change, and kept in the URL of the page. */
export const FilterForm = ({ label, path, search, kept = {}, clear, children }: FilterFormProps) => (
  <form
    class="filters"
    role="search"
    aria-label={label}
    action={path}
    hx-get={path}
    hx-target="#main"
    hx-swap="innerMorph"
    hx-push-url="true"
    hx-sync="this:replace"
    hx-trigger="input changed delay:300ms from:#q, change target:'select, [type=date]' delay:300ms, submit"
  >
    <>
      {Object.entries(kept).map(([name, value]) => (value ? <input type="hidden" name={name} value={value} /> : <></>))}
    </>
    {search ? (
      <label class="input">
        <Icon name="search" />
        <input
          id="q"
          type="search"
          name="q"
          placeholder={search.placeholder}
          aria-label={search.placeholder}
          value={search.value}
          maxlength={200}
        />
      </label>
    ) : null}
    {children}
    <noscript>
      <Button label="Filter" type="submit" />
    </noscript>
    {clear ? (
      <a class="chip" data-dashed href={clear}>
        <Icon name="x" />
        Clear filters
      </a>
    ) : null}
  </form>
)

interface ChoiceProps {
  label: string
  name: string
  chosen: string | undefined
  options: Option[]
}

/** Nothing while there is nothing to choose. */
export const Choice = ({ label, name, chosen, options }: ChoiceProps) =>
  options.length > 0 || chosen ? (
    <select class="chip" name={name} aria-label={label} data-dashed={!chosen}>
      <option value="" safe>
        {label}
      </option>
      <>
        {options.map((option) => (
          <option value={option.value} selected={option.value === chosen} safe>
            {option.label}
          </option>
        ))}
      </>
      {chosen && !options.some(({ value }) => value === chosen) ? (
        <option value={chosen} selected safe>
          {nameOfUnlisted(name, chosen)}
        </option>
      ) : null}
    </select>
  ) : (
    <></>
  )

/** Of a choice that is no option, as in an outdated link. */
const nameOfUnlisted = (name: string, chosen: string): string => (name === 'currency' ? chosen : 'Other')

interface DatesProps {
  /** Days of `timeZone` as `2026-11-21`, both included. */
  from?: string
  to?: string
  timeZone?: string
  /** Days are in UTC. */
  inUtc?: boolean
}

export const Dates = ({ from, to, timeZone, inUtc }: DatesProps) => (
  <>
    {inUtc ? null : <input type="hidden" name="timeZone" value={timeZone ?? viewerZone()} />}
    <button type="button" class="chip" data-dashed={!from && !to} popovertarget="dates">
      <Icon name="calendar-clock" />
      <span safe>{datesText(from, to)}</span>
    </button>
    <div class="popover dates" id="dates" popover>
      <label>
        From
        <input class="input" id="from" type="date" name="from" value={from} />
      </label>
      <label>
        To
        <input class="input" id="to" type="date" name="to" value={to} />
      </label>
    </div>
  </>
)

/** `16 Nov – 6 Dec`. */
function datesText(from: string | undefined, to: string | undefined): string {
  if (!from && !to) return 'Dates'
  if (!to) return `From ${dayText(from)}`
  return from ? `${dayText(from)} – ${dayText(to)}` : `Until ${dayText(to)}`
}

const dayText = (day = ''): string =>
  Temporal.PlainDate.from(day).toLocaleString('en-GB', { day: 'numeric', month: 'short' })

const step = 20
const maxRows = 100

interface MoreProps {
  /** The plural, such as `orders`. */
  noun: string
  shown: number
  nextCursor: string | null
  query: { limit: number; cursor?: string }
  /** The paths of the page and of its operation. */
  page: string
  from: string
  /** The selector of the list. */
  target: string
}

/** More rows in place as long as one page can hold them, and then the next page. */
export const More = ({ noun, shown, nextCursor, query, page, from, target }: MoreProps) => {
  const { limit, cursor, ...filter } = query
  const canGrow = shown === limit && limit < maxRows
  const longer = listHref(from, { ...filter, cursor, limit: String(Math.min(maxRows, limit + step)) })
  return (
    <Pager
      label={`More ${noun}`}
      summary={`${shown} ${shown === 1 ? noun.replace(/(?<=ch)es$|s$/, '') : noun} shown`}
      next={nextCursor === null ? undefined : listHref(page, { ...filter, cursor: nextCursor })}
      {...(canGrow && { 'hx-get': longer, 'hx-target': target, 'hx-swap': 'outerMorph' })}
    />
  )
}
