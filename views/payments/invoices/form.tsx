import type { InvoiceDetails } from '#payments/types'
import { Icon } from '#views/ui/icon.tsx'
import { SelectField, TextField } from '#views/ui/form.tsx'
import { AddressFields } from '../address.tsx'
import { typedMoney } from '../money.ts'

const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'CAD', 'AUD', 'JPY', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'INR', 'KWD']

const languages = [
  { value: 'en-GB', label: 'English (UK)' },
  { value: 'en-US', label: 'English (US)' },
  { value: 'de-DE', label: 'Deutsch' },
  { value: 'fr-FR', label: 'Français' },
  { value: 'es-ES', label: 'Español' },
]

const shownLines = 5

interface InvoiceFieldsProps {
  /** The draft that is edited. */
  invoice?: InvoiceDetails
  currencies?: string[]
  merchants?: { id: string; name: string }[]
}

export const InvoiceFields = ({ invoice, currencies: used = [], merchants = [] }: InvoiceFieldsProps) => (
  <>
    <fieldset class="stack">
      <legend>Bill to</legend>
      <BuyerFields invoice={invoice} />
    </fieldset>
    {invoice?.orderId ? null : <Charges invoice={invoice} used={used} merchants={merchants} />}
    <div class="fields">
      <TextField
        label="Days to pay"
        name="paymentDays"
        id="invoice-days"
        type="number"
        min={0}
        max={365}
        value={String(invoice?.paymentDays ?? 14)}
      />
      <SelectField
        label="Language"
        name="language"
        id="invoice-language"
        options={invoice ? languages : [{ value: '', label: 'The customer’s' }, ...languages]}
        value={invoice?.language}
      />
    </div>
    <div class="fields">
      <TextField
        label="Service from"
        name="serviceFrom"
        id="invoice-from"
        type="date"
        value={invoice?.serviceFrom ?? ''}
      />
      <TextField label="Service to" name="serviceTo" id="invoice-to" type="date" value={invoice?.serviceTo ?? ''} />
    </div>
    <TextField
      label="Customer’s reference"
      name="reference"
      id="invoice-reference"
      maxlength={100}
      autocomplete="off"
      value={invoice?.reference ?? ''}
    />
    <TextField
      label="Note"
      name="note"
      id="invoice-note"
      maxlength={1000}
      autocomplete="off"
      value={invoice?.note ?? ''}
      hint="Printed below the total."
    />
  </>
)

const BuyerFields = ({ invoice }: Pick<InvoiceFieldsProps, 'invoice'>) => {
  const buyer = invoice?.buyer
  const text = (label: string, name: string, value: string | null | undefined, more: { type?: 'email' } = {}) => (
    <TextField
      label={label}
      name={`buyer${name}`}
      id={`invoice-buyer${name.replaceAll(/\W+/g, '-')}`}
      autocomplete="off"
      value={value ?? ''}
      {...more}
    />
  )
  return (
    <>
      {invoice?.customerId ? <input type="hidden" name="customerId" value={invoice.customerId} /> : null}
      <div class="fields">
        {text('Name', '[name]', buyer?.name)}
        {text('Email', '[email]', buyer?.email, { type: 'email' })}
      </div>
      <details class="fold" open={buyer?.address !== undefined && buyer.address !== null}>
        <summary>
          <Icon name="chevron-right" />
          Address and tax number
        </summary>
        <div class="stack">
          {text('VAT or tax number', '[taxNumber]', buyer?.taxNumber)}
          <AddressFields id="invoice-buyer" name="buyer[address]" address={buyer?.address} />
        </div>
      </details>
    </>
  )
}

type ChargesProps = Pick<InvoiceFieldsProps, 'invoice'> & { used: string[]; merchants: { id: string; name: string }[] }

const Charges = ({ invoice, used, merchants }: ChargesProps) => {
  const count = Math.max(shownLines, (invoice?.lines.length ?? 0) + 1)
  const chosen = invoice?.currency ?? used[0]
  const first = invoice?.lines.length ?? 1
  return (
    <>
      {Array.from({ length: first }, (_, at) => (
        <LineFields at={at} invoice={invoice} />
      ))}
      <details class="fold">
        <summary>
          <Icon name="chevron-right" />
          More lines
        </summary>
        <div class="stack">
          {Array.from({ length: count - first }, (_, at) => (
            <LineFields at={first + at} invoice={invoice} />
          ))}
        </div>
      </details>
      <div class="fields">
        <SelectField
          label="Currency"
          name="currency"
          id="invoice-currency"
          value={chosen}
          options={[...new Set([...(chosen ? [chosen] : []), ...used, ...currencies])].map((value) => ({
            value,
            label: value,
          }))}
        />
        <SelectField
          label="Prices"
          name="taxMode"
          id="invoice-tax-mode"
          value={invoice?.taxMode ?? 'exclusive'}
          options={[
            { value: 'exclusive', label: 'Without tax' },
            { value: 'inclusive', label: 'Include tax' },
          ]}
        />
      </div>
      {merchants.length > 1 && !invoice ? (
        <SelectField
          label="Merchant"
          name="merchantId"
          id="invoice-merchant"
          options={[{ value: '', label: 'Default' }, ...merchants.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      ) : null}
    </>
  )
}

const LineFields = ({ at, invoice }: { at: number } & Pick<InvoiceFieldsProps, 'invoice'>) => {
  const line = invoice?.lines[at]
  return (
    <fieldset class="order-line">
      <legend class="visually-hidden" safe>{`Line ${at + 1}`}</legend>
      <TextField
        label="Item"
        name={`lines[${at}][name]`}
        id={`invoice-line-${at}-name`}
        maxlength={250}
        autocomplete="off"
        required={at === 0}
        value={line?.name ?? ''}
      />
      <TextField
        label="Quantity"
        name={`lines[${at}][quantity]`}
        id={`invoice-line-${at}-quantity`}
        type="number"
        inputmode="numeric"
        min={1}
        value={String(line?.quantity ?? 1)}
        required={at === 0}
      />
      <TextField
        label="Price"
        name={`lines[${at}][price]`}
        id={`invoice-line-${at}-price`}
        inputmode="decimal"
        autocomplete="off"
        placeholder="180.00"
        required={at === 0}
        value={line && invoice ? typedMoney(line.unitAmount, invoice.currency) : ''}
      />
      <TextField
        label="Tax %"
        name={`lines[${at}][taxRate]`}
        id={`invoice-line-${at}-tax`}
        inputmode="decimal"
        autocomplete="off"
        placeholder="0"
        value={line?.taxRate ?? ''}
      />
    </fieldset>
  )
}
