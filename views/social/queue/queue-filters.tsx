import { Button } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { accountName, networkNames } from '../posts/post-text.ts'
import { Choice } from '../posts/posts-filters.tsx'
import { isFiltered, queueHref } from './queue-days.ts'
import type { QueuePageProps } from './props.ts'

export const QueueFilters = ({ place, options }: QueuePageProps) => (
  <form
    class="filters"
    role="search"
    aria-label="Filter the queue"
    action="/workspace/queue"
    hx-get="/workspace/queue"
    hx-target="#main"
    hx-swap="innerMorph"
    hx-push-url="true"
    hx-sync="this:replace"
    hx-trigger="change target:'select', submit"
  >
    <input type="hidden" name="brandId" value={place.brandId} />
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
    <noscript>
      <Button label="Filter" type="submit" />
    </noscript>
    {isFiltered(place) ? (
      <a class="chip" data-dashed href={queueHref({ brandId: place.brandId, date: place.date })}>
        <Icon name="x" />
        Clear filters
      </a>
    ) : null}
  </form>
)
