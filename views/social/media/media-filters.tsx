import type { MediaTag, Provider } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { listHref } from '#views/ui/lists.tsx'
import { networkNames } from '../posts/post-text.ts'

export interface MediaFilterValues {
  brandId: string
  q?: string
  kind?: 'image' | 'video' | 'document'
  tag?: string
  used?: 'true' | 'false'
  alt?: 'missing'
  fits?: Provider
}

export const mediaHref = (filter: MediaFilterValues, more: Record<string, string | undefined> = {}): string =>
  listHref('/workspace/media', { ...filter, ...more })

export const isNarrowed = ({ q, kind, tag, used, alt, fits }: MediaFilterValues): boolean =>
  Boolean(q ?? kind ?? tag ?? used ?? alt ?? fits)

interface MediaFiltersProps {
  filter: MediaFilterValues
  tags: readonly MediaTag[]
}

export const MediaFilters = ({ filter, tags }: MediaFiltersProps) => (
  <form
    class="filters"
    id="media-filters"
    role="search"
    aria-label="Filter media"
    action="/workspace/media"
    hx-get="/workspace/media"
    hx-target="#main"
    hx-swap="innerMorph"
    hx-push-url="true"
    hx-sync="this:replace"
    hx-trigger="input changed delay:300ms from:#q, change target:select delay:300ms, submit"
  >
    <input type="hidden" name="brandId" value={filter.brandId} />
    <label class="input">
      <Icon name="search" />
      <input
        id="q"
        type="search"
        name="q"
        placeholder="Search names, tags, alt text"
        aria-label="Search names, tags, alt text"
        value={filter.q}
        maxlength="200"
      />
    </label>
    <Choice label="Type" name="kind" chosen={filter.kind} options={kinds} />
    <Choice
      label="Tag"
      name="tag"
      chosen={filter.tag}
      options={tags.map(({ tag, files }) => [tag, `${tag} (${files})`])}
    />
    <Choice label="Use" name="used" chosen={filter.used} options={uses} />
    <Choice label="Alt text" name="alt" chosen={filter.alt} options={alts} />
    <Choice label="Network" name="fits" chosen={filter.fits} options={fitting} />
    <noscript>
      <Button label="Filter" type="submit" />
    </noscript>
    {isNarrowed(filter) ? (
      <a class="chip" data-dashed href={mediaHref({ brandId: filter.brandId })}>
        <Icon name="x" />
        Clear filters
      </a>
    ) : null}
  </form>
)

type Options = readonly (readonly [value: string, label: string])[]

const kinds: Options = [
  ['image', 'Images'],
  ['video', 'Videos'],
  ['document', 'Documents'],
]
const uses: Options = [
  ['false', 'Not used'],
  ['true', 'Used in posts'],
]
const alts: Options = [['missing', 'No alt text']]
const fitting: Options = Object.entries(networkNames)
  .filter(([provider]) => provider !== 'sandbox')
  .map(([provider, name]) => [provider, `Fits ${name}`])

interface ChoiceProps {
  label: string
  name: string
  chosen: string | undefined
  options: Options
}

const Choice = ({ label, name, chosen, options }: ChoiceProps) =>
  options.length > 0 || chosen ? (
    <select class="chip" name={name} aria-label={label} data-dashed={!chosen}>
      <option value="" safe>
        {label}
      </option>
      <>
        {options.map(([value, text]) => (
          <option value={value} selected={value === chosen} safe>
            {text}
          </option>
        ))}
      </>
      {chosen && !options.some(([value]) => value === chosen) ? (
        <option value={chosen} selected safe>
          {chosen}
        </option>
      ) : null}
    </select>
  ) : (
    <></>
  )
