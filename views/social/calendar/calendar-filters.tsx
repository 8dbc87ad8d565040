import type { PostFilterOptions } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { accountName, networkNames } from '../posts/post-text.ts'
import { Choice } from '../posts/posts-filters.tsx'
import { calendarHref, isFiltered, type CalendarPlace } from './calendar-days.ts'

interface CalendarFiltersProps {
  place: CalendarPlace
  options: PostFilterOptions
  /** Codes. */
  countries: readonly string[]
  /** Whose holidays are shown; null for none. */
  country: string | null
}

const named = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

export const CalendarFilters = ({ place, options, countries, country }: CalendarFiltersProps) => (
  <form
    class="filters grow"
    role="search"
    aria-label="Filter the calendar"
    action="/workspace/calendar"
    hx-get="/workspace/calendar"
    hx-target="#main"
    hx-swap="innerMorph"
    hx-push-url="true"
    hx-sync="this:replace"
    hx-trigger="change target:'select', submit"
  >
    <input type="hidden" name="brandId" value={place.brandId} />
    {place.view && place.view !== 'month' ? <input type="hidden" name="view" value={place.view} /> : null}
    {place.date ? <input type="hidden" name="date" value={place.date} /> : null}
    <Choice
      label="Network"
      name="provider"
      chosen={place.provider}
      options={options.providers.map((provider) => ({ value: provider, label: networkNames[provider] }))}
    />
    <Choice
      label="Account"
      name="accountId"
      chosen={place.accountId}
      options={options.accounts.map(({ id, provider, name }) => ({
        value: id,
        label: `${accountName(provider, name)} (${networkNames[provider]})`,
      }))}
    />
    <Choice label="Campaign" name="campaign" chosen={place.campaign} options={named(options.campaigns)} />
    <Choice label="Tag" name="tag" chosen={place.tag} options={named(options.tags)} />
    <Choice
      label="Author"
      name="authorId"
      chosen={place.authorId}
      options={options.authors.length > 1 ? options.authors.map(({ id, name }) => ({ value: id, label: name })) : []}
    />
    <Choice label="State" name="status" chosen={place.status} options={states} />
    <Holidays countries={countries} country={country} />
    <noscript>
      <Button label="Filter" type="submit" />
    </noscript>
    {isFiltered(place) ? (
      <a class="chip" data-dashed href={calendarHref({ brandId: place.brandId, view: place.view, date: place.date })}>
        <Icon name="x" />
        Clear filters
      </a>
    ) : null}
  </form>
)

const states = [
  { value: 'draft', label: 'Planned drafts' },
  { value: 'scheduled', label: 'Scheduled' },
  { value: 'published', label: 'Published' },
  { value: 'failed', label: 'Failed' },
]

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })
const nameOf = (code: string): string => (code === 'IC' ? 'Canary Islands' : (names.of(code) ?? code))

const Holidays = ({ countries, country }: Pick<CalendarFiltersProps, 'countries' | 'country'>) => (
  <select class="chip" name="country" aria-label="Public holidays" data-dashed={country === null}>
    <option value="none" selected={country === null}>
      No holidays
    </option>
    <>
      {countries
        .map((value) => ({ value, label: nameOf(value) }))
        .toSorted((one, other) => one.label.localeCompare(other.label))
        .map(({ value, label }) => (
          <option value={value} selected={value === country} safe>
            {`Holidays: ${label}`}
          </option>
        ))}
    </>
  </select>
)
