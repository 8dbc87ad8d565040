import type { CustomerChoice, CustomerChoiceList } from '#payments/types'
import { Icon } from '#views/ui/icon.tsx'
import { customersRoute } from './filters.tsx'
import { customerText } from './words.ts'

const searchForm = 'customer-search-form'
const search = 'customer-search'
const place = 'customer-choices'

/** Outside of the form that the choice is sent with, so that Enter searches. */
export const CustomerSearchForm = () => (
  <form
    id={searchForm}
    role="search"
    aria-label="Find a customer"
    action="/pay/customers"
    hx-get={`${customersRoute}/choices`}
    hx-include={`#${place} :checked`}
    hx-target={`#${place}`}
    hx-swap="innerMorph"
    hx-sync="this:replace"
    hx-trigger={`input changed delay:250ms from:#${search}, focusin once from:#${search}, submit`}
  />
)

/** A radio button for each customer that was found, and one for a guest. */
export const CustomerField = () => (
  <fieldset class="field">
    <legend>Customer</legend>
    <label class="input">
      <Icon name="search" />
      <input
        id={search}
        form={searchForm}
        type="search"
        name="q"
        placeholder="Name, email, or tax number"
        aria-label="Find a customer by name, email, or tax number"
        autocomplete="off"
        maxlength={200}
      />
    </label>
    <div class="stack" style="--gap: var(--space-1)" id={place} aria-live="polite">
      <CustomerChoices choices={{ items: [], chosenId: null }} isEmpty />
    </div>
  </fieldset>
)

interface CustomerChoicesProps {
  choices: CustomerChoiceList
  /** Nothing was looked for yet. */
  isEmpty?: boolean
}

export const CustomerChoices = ({ choices: { items, chosenId }, isEmpty = false }: CustomerChoicesProps) => (
  <>
    <label class="check">
      <input type="radio" name="customerId" id="customer-guest" value="" checked={chosenId === null} />
      <span>Guest</span>
    </label>
    {items.map((customer) => (
      <Choice customer={customer} isChosen={customer.id === chosenId} />
    ))}
    {items.length === 0 && !isEmpty ? <small class="muted">No matching customers.</small> : null}
  </>
)

const Choice = ({ customer, isChosen }: { customer: CustomerChoice; isChosen: boolean }) => (
  <label class="check">
    <input type="radio" name="customerId" id={`choose-${customer.id}`} value={customer.id} checked={isChosen} />
    <span class="wrap-anywhere">
      <span safe>{customerText(customer)}</span>
      {customer.name && customer.email ? <small safe>{` ${customer.email}`}</small> : null}
    </span>
  </label>
)
