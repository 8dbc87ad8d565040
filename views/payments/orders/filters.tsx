import type { OrderFilterOptions, OrderStatus } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { listHref } from '#views/ui/lists.tsx'
import { viewerZone } from '#views/ui/time.tsx'

export interface OrdersFilter {
  status?: OrderStatus
  q?: string
  currency?: string
  merchantId?: string
  venueId?: string
  /** Days of `timeZone` as `2026-11-21`, both included. */
  from?: string
  to?: string
  timeZone?: string
}

export const ordersPath = '/pay/orders'
export const ordersTopic = (organizationId: string | undefined): string => `orders:${organizationId ?? ''}`

export const isNarrowed = ({ q, currency, merchantId, venueId, from, to }: OrdersFilter): boolean =>
  Boolean(q ?? currency ?? merchantId ?? venueId ?? from ?? to)

export const ordersHref = (filter: OrdersFilter, more: Record<string, string | undefined> = {}): string =>
  listHref(ordersPath, { ...filter, ...more })

interface OrderFiltersProps {
  options: OrderFilterOptions
  filter: OrdersFilter
}

/** Nothing while there is no order. */
export const OrderFilters = ({ options, filter }: OrderFiltersProps) =>
  options.currencies.length > 0 || isNarrowed(filter) ? <Filters options={options} filter={filter} /> : <></>

const Filters = ({ options: { currencies, merchants, venues }, filter }: OrderFiltersProps) => (
  <form
    class="filters"
    role="search"
    aria-label="Filter orders"
    action={ordersPath}
    hx-get={ordersPath}
    hx-target="#main"
    hx-swap="innerMorph"
    hx-push-url="true"
    hx-sync="this:replace"
    hx-trigger="input changed delay:300ms from:#q, change target:'select, [type=date]' delay:300ms, submit"
  >
    {filter.status ? <input type="hidden" name="status" value={filter.status} /> : null}
    <label class="input">
      <Icon name="search" />
      <input
        id="q"
        type="search"
        name="q"
        placeholder="Number or customer"
        aria-label="Number or customer"
        value={filter.q}
        maxlength={200}
      />
    </label>
    <Choice
      label="Currency"
      name="currency"
      chosen={filter.currency}
      options={currencies.length > 1 ? currencies.map((code) => ({ value: code, label: code })) : []}
    />
    <Choice
      label="Merchant"
      name="merchantId"
      chosen={filter.merchantId}
      options={merchants.length > 1 ? merchants.map(({ id, name }) => ({ value: id, label: name })) : []}
    />
    <Choice
      label="Venue"
      name="venueId"
      chosen={filter.venueId}
      options={venues.length > 1 ? venues.map(({ id, name }) => ({ value: id, label: name })) : []}
    />
    <Dates filter={filter} />
    <noscript>
      <Button label="Filter" type="submit" />
    </noscript>
    {isNarrowed(filter) ? (
      <a class="chip" data-dashed href={ordersHref({ status: filter.status })}>
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
  options: { value: string; label: string }[]
}

const Choice = ({ label, name, chosen, options }: ChoiceProps) =>
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
          {name === 'currency' ? chosen : 'Other'}
        </option>
      ) : null}
    </select>
  ) : (
    <></>
  )

const Dates = ({ filter: { from, to, timeZone } }: Pick<OrderFiltersProps, 'filter'>) => (
  <>
    <input type="hidden" name="timeZone" value={timeZone ?? viewerZone()} />
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
