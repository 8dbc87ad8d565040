import type { Post, PostFilterOptions } from '#social/types'
import { listHref } from '#views/ui/lists.tsx'
import { Button } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { accountName, networkNames } from './post-text.ts'

export interface PostsFilter {
  brandId: string
  status?: Post['status']
  q?: string
  provider?: Post['provider']
  accountId?: string
  tag?: string
  authorId?: string
  /** Days as `2026-11-21`, both included. */
  from?: string
  to?: string
}

export const isNarrowed = ({ q, provider, accountId, tag, authorId, from, to }: PostsFilter): boolean =>
  Boolean(q ?? provider ?? accountId ?? tag ?? authorId ?? from ?? to)

export const postsHref = (filter: PostsFilter, more: Record<string, string | undefined> = {}): string =>
  listHref('/workspace/posts', { ...filter, ...more })

interface PostsFiltersProps {
  filter: PostsFilter
  options: PostFilterOptions
}

export const PostsFilters = ({ filter, options }: PostsFiltersProps) => (
  <form
    class="filters"
    role="search"
    aria-label="Filter posts"
    action="/workspace/posts"
    hx-get="/workspace/posts"
    hx-target="#main"
    hx-swap="innerMorph"
    hx-push-url="true"
    hx-sync="this:replace"
    hx-trigger="input changed delay:300ms from:#q, change target:'select, [type=date]' delay:300ms, submit"
  >
    <Fixed filter={filter} />
    <label class="input">
      <Icon name="search" />
      <input id="q" type="search" name="q" placeholder="Search posts" aria-label="Search posts" value={filter.q} />
    </label>
    <Choice
      label="Network"
      name="provider"
      chosen={filter.provider}
      options={options.providers.map((provider) => ({ value: provider, label: networkNames[provider] }))}
    />
    <Choice
      label="Account"
      name="accountId"
      chosen={filter.accountId}
      options={options.accounts.map(({ id, provider, name }) => ({
        value: id,
        label: `${accountName(provider, name)} (${networkNames[provider]})`,
      }))}
    />
    <Choice
      label="Tag"
      name="tag"
      chosen={filter.tag}
      options={options.tags.map((tag) => ({ value: tag, label: tag }))}
    />
    <Choice
      label="Author"
      name="authorId"
      chosen={filter.authorId}
      options={options.authors.length > 1 ? options.authors.map(({ id, name }) => ({ value: id, label: name })) : []}
    />
    <Dates filter={filter} />
    <noscript>
      <Button label="Filter" type="submit" />
    </noscript>
    {isNarrowed(filter) ? <Clear filter={filter} /> : null}
  </form>
)

interface ChoiceProps {
  label: string
  name: string
  chosen: string | undefined
  options: { value: string; label: string }[]
}

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
        <option value={chosen} selected>
          Other
        </option>
      ) : null}
    </select>
  ) : (
    <></>
  )

const Dates = ({ filter: { from, to } }: Pick<PostsFiltersProps, 'filter'>) => (
  <>
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

const Fixed = ({ filter: { brandId, status } }: Pick<PostsFiltersProps, 'filter'>) => (
  <>
    <input type="hidden" name="brandId" value={brandId} />
    {status ? <input type="hidden" name="status" value={status} /> : null}
  </>
)

const Clear = ({ filter: { brandId, status } }: Pick<PostsFiltersProps, 'filter'>) => (
  <a class="chip" data-dashed href={postsHref({ brandId, status })}>
    <Icon name="x" />
    Clear filters
  </a>
)
