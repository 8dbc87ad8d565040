import type { OrderFilterOptions } from '#payments/types'
import { Icon } from '#views/ui/icon.tsx'
import { CustomerField, CustomerSearchForm } from '../customers/choices.tsx'
import { Form, SelectField, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'

export const newOrderDialog = 'new-order'

/** Besides those of earlier orders; the API takes every currency of ISO 4217. */
const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'CAD', 'AUD', 'JPY', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'INR', 'KWD']

const moreLines = [1, 2, 3, 4]

interface NewOrderProps {
  options: OrderFilterOptions
  canChooseCustomer: boolean
}

export const NewOrderDialog = ({ options, canChooseCustomer }: NewOrderProps) => (
  <Dialog id={newOrderDialog} title="New order">
    {canChooseCustomer ? <CustomerSearchForm /> : null}
    <Form hx-post="/api/orders">
      <div class="body stack">
        <LineFields at={0} />
        <details class="fold">
          <summary>
            <Icon name="chevron-right" />
            More lines
          </summary>
          <div class="stack">
            {moreLines.map((at) => (
              <LineFields at={at} />
            ))}
          </div>
        </details>
        <div class="fields">
          <SelectField
            label="Currency"
            name="currency"
            id="order-currency"
            value={options.currencies[0]}
            options={[...new Set([...options.currencies, ...currencies])].map((value) => ({ value, label: value }))}
          />
          <SelectField
            label="Prices"
            name="taxMode"
            id="order-tax-mode"
            options={[
              { value: 'inclusive', label: 'Include tax' },
              { value: 'exclusive', label: 'Without tax' },
            ]}
          />
        </div>
        {canChooseCustomer ? <CustomerField /> : null}
        <div class="fields">
          <TextField
            label="Customer’s name"
            name="customer[name]"
            id="customer-name"
            maxlength={200}
            autocomplete="off"
            hint="Optional. Replaces the saved one."
          />
          <TextField
            label="Customer’s email"
            name="customer[email]"
            id="customer-email"
            type="email"
            autocomplete="off"
            hint="Optional. For the receipt."
          />
        </div>
        <Venue options={options} />
      </div>
      <DialogButtons dialog={newOrderDialog} submit="Create order" />
    </Form>
  </Dialog>
)

const Venue = ({ options: { venues } }: { options: OrderFilterOptions }) =>
  venues.length > 0 ? (
    <SelectField
      label="Venue"
      name="venueId"
      id="order-venue"
      options={[{ value: '', label: 'None' }, ...venues.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  ) : (
    <></>
  )

const LineFields = ({ at }: { at: number }) => (
  <fieldset class="order-line">
    <legend class="visually-hidden" safe>{`Line ${at + 1}`}</legend>
    <TextField
      label="Item"
      name={`lines[${at}][name]`}
      id={`line-${at}-name`}
      maxlength={250}
      autocomplete="off"
      required={at === 0}
      autofocus={at === 0}
    />
    <TextField
      label="Quantity"
      name={`lines[${at}][quantity]`}
      id={`line-${at}-quantity`}
      type="number"
      inputmode="numeric"
      min={1}
      value="1"
      required={at === 0}
    />
    <TextField
      label="Price"
      name={`lines[${at}][price]`}
      id={`line-${at}-price`}
      inputmode="decimal"
      autocomplete="off"
      placeholder="3.50"
      required={at === 0}
    />
    <TextField
      label="Tax %"
      name={`lines[${at}][taxRate]`}
      id={`line-${at}-tax`}
      inputmode="decimal"
      autocomplete="off"
      placeholder="0"
    />
  </fieldset>
)
