import type { InvoiceDetails } from '#payments/types'
import { LineTable } from '../line-table.tsx'
import { money } from '../money.ts'
import { Day } from './table.tsx'
import { documentName, numberText, signedTotal } from './words.ts'

interface OfInvoice {
  invoice: InvoiceDetails
}

/** The document, much as its PDF. */
export const Paper = ({ invoice }: OfInvoice) => (
  <article class="invoice" aria-label={`${documentName(invoice)} ${numberText(invoice)}`}>
    <header>
      <div>
        <strong class="wrap-anywhere" safe>
          {invoice.seller.name}
        </strong>
        <Address address={invoice.seller.address} taxNumber={invoice.seller.taxNumber} />
      </div>
      <div class="end">
        <h2 safe>{documentName(invoice)}</h2>
        <span safe>{numberText(invoice)}</span>
        <br />
        {invoice.issuedOn ? <Day day={invoice.issuedOn} /> : null}
      </div>
    </header>
    <Parties invoice={invoice} />
    <Lines invoice={invoice} />
    <Sums invoice={invoice} />
    {invoice.reverseCharge ? (
      <p>Reverse charge: the recipient is liable for VAT under Article 196 of Directive 2006/112/EC.</p>
    ) : null}
    {invoice.reason ? <p class="wrap-anywhere" safe>{`Reason: ${invoice.reason}`}</p> : null}
    {invoice.note ? (
      <p class="wrap-anywhere" safe>
        {invoice.note}
      </p>
    ) : null}
  </article>
)

interface AddressProps {
  address: InvoiceDetails['seller']['address']
  taxNumber: string | null
}

const Address = ({ address, taxNumber }: AddressProps) => {
  const place = [address?.postalCode, address?.city].filter(Boolean).join(' ')
  const lines = [
    address?.line1,
    address?.line2,
    place,
    address?.region,
    address?.country,
    taxNumber && `VAT ${taxNumber}`,
  ]
  return (
    <>
      {lines.filter(Boolean).map((line) => (
        <span class="wrap-anywhere line" safe>
          {line}
        </span>
      ))}
    </>
  )
}

const Parties = ({ invoice }: OfInvoice) => (
  <div class="parties">
    <section>
      <h3>Bill to</h3>
      <b class="wrap-anywhere" safe>
        {invoice.buyer.name ?? invoice.buyer.email ?? 'Guest'}
      </b>
      <Address address={invoice.buyer.address} taxNumber={invoice.buyer.taxNumber} />
    </section>
    {invoice.serviceFrom ? (
      <section>
        <h3>Service date</h3>
        <Day day={invoice.serviceFrom} />
        {invoice.serviceTo && invoice.serviceTo !== invoice.serviceFrom ? (
          <>
            {' – '}
            <Day day={invoice.serviceTo} />
          </>
        ) : null}
      </section>
    ) : null}
    {invoice.original ? (
      <section>
        <h3>Corrects</h3>
        <a href={`/pay/invoices/${invoice.original.id}`} safe>
          {invoice.original.number}
        </a>
      </section>
    ) : null}
    {invoice.kind === 'invoice' ? (
      <section>
        <h3>Due</h3>
        {invoice.dueOn ? (
          <b>
            <Day day={invoice.dueOn} />
          </b>
        ) : null}
        <span class="line" safe>
          {invoice.paymentDays === 0 ? 'On receipt' : `Net ${invoice.paymentDays}`}
        </span>
        {invoice.overdueDays > 0 ? <span class="stamp">Overdue</span> : null}
      </section>
    ) : null}
    {invoice.reference ? (
      <section>
        <h3>Customer’s reference</h3>
        <span class="wrap-anywhere" safe>
          {invoice.reference}
        </span>
      </section>
    ) : null}
  </div>
)

const Lines = ({ invoice: { lines, currency, taxMode } }: OfInvoice) => (
  <LineTable
    caption="Lines"
    heading="Description"
    lines={lines.map((line) => ({
      ...line,
      amount: taxMode === 'inclusive' ? line.total : line.total - line.tax,
    }))}
    currency={currency}
  />
)

const Sums = ({ invoice }: OfInvoice) => (
  <dl class="facts sum">
    <dt>Net</dt>
    <dd safe>{money(invoice.total - invoice.tax, invoice.currency)}</dd>
    {invoice.taxes.map(({ rate, tax }) => (
      <>
        <dt safe>{`VAT ${rate}%${invoice.reverseCharge ? ', reverse charge' : ''}`}</dt>
        <dd safe>{money(tax, invoice.currency)}</dd>
      </>
    ))}
    <dt>Total</dt>
    <dd safe>{signedTotal(invoice)}</dd>
  </dl>
)
