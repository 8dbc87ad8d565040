import type { InvoiceDetails } from '#payments/types'
import { counted } from '#lib/text.ts'
import { Icon } from '#views/ui/icon.tsx'
import { Time } from '#views/ui/time.tsx'
import { money } from '../money.ts'
import { eventLooks } from './words.ts'

interface OfInvoice {
  invoice: InvoiceDetails
}

export const InvoiceAside = ({ invoice }: OfInvoice) => (
  <aside class="stack" style="--gap: var(--space-4)" aria-label="About the invoice">
    <section class="card" aria-labelledby="timeline">
      <header>
        <h2 id="timeline">Timeline</h2>
      </header>
      <div class="body">
        <ol class="timeline">
          {invoice.timeline.map((event) => (
            <Event event={event} />
          ))}
        </ol>
      </div>
    </section>
    <section class="card" aria-labelledby="details">
      <header>
        <h2 id="details">Details</h2>
      </header>
      <div class="body">
        <Details invoice={invoice} />
      </div>
    </section>
    {invoice.creditNotes.length > 0 ? <CreditNotes invoice={invoice} /> : null}
  </aside>
)

const Event = ({ event }: { event: InvoiceDetails['timeline'][number] }) => {
  const { icon, state, title } = eventLooks[event.kind]
  const by = event.byName ? `By ${event.byName}` : null
  return (
    <li data-state={state}>
      <span class="mark">
        <Icon name={icon} />
      </span>
      <div>
        <div class="head">
          <b safe>{title}</b>
          <Time at={event.at} form="moment" />
        </div>
        {event.detail || by ? (
          <small class="wrap-anywhere" safe>
            {[event.detail, by].filter(Boolean).join(' · ')}
          </small>
        ) : null}
      </div>
    </li>
  )
}

const Details = ({ invoice }: OfInvoice) => (
  <dl class="facts">
    <dt>Merchant</dt>
    <dd class="wrap-anywhere" safe>
      {invoice.merchant.name}
    </dd>
    {invoice.buyer.email ? (
      <>
        <dt>Email</dt>
        <dd class="wrap-anywhere" safe>
          {invoice.buyer.email}
        </dd>
      </>
    ) : null}
    {invoice.order ? (
      <>
        <dt>Order</dt>
        <dd>
          <a href={`/pay/orders/${invoice.order.id}`} safe>
            {invoice.order.number}
          </a>
        </dd>
      </>
    ) : null}
    {invoice.credited > 0 ? (
      <>
        <dt>Credited</dt>
        <dd safe>{money(invoice.credited, invoice.currency)}</dd>
      </>
    ) : null}
    {invoice.overdueDays > 0 ? (
      <>
        <dt>Overdue</dt>
        <dd safe>{`By ${counted(invoice.overdueDays, 'day')}`}</dd>
      </>
    ) : null}
  </dl>
)

const CreditNotes = ({ invoice }: OfInvoice) => (
  <section class="card" aria-labelledby="credit-notes">
    <header>
      <h2 id="credit-notes">Credit notes</h2>
    </header>
    <div class="body">
      <dl class="facts">
        {invoice.creditNotes.map((note) => (
          <>
            <dt>
              <a href={`/pay/invoices/${note.id}`} safe>
                {note.number ?? ''}
              </a>
            </dt>
            <dd safe>{money(-note.total, invoice.currency)}</dd>
          </>
        ))}
      </dl>
    </div>
  </section>
)
