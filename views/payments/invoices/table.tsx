import type { Invoice, InvoiceList } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { actions, DataTable, number } from '#views/ui/data-table.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { listHref } from '#views/ui/lists.tsx'
import { liveAt } from '#views/ui/live.ts'
import { StatusMark } from '#views/ui/marks.tsx'
import { MenuLink, RowMenu } from '#views/ui/overlays.tsx'
import { timeText } from '#views/ui/time.tsx'
import { More } from '../filters.tsx'
import { NoRows } from '../no-rows.tsx'
import { CopyId } from '../orders/table.tsx'
import { invoicesHref, invoicesPath, invoicesTopic, isNarrowed, type InvoicesFilter } from './filters.tsx'
import { newInvoiceDialog } from './new-dialog.tsx'
import { buyerText, documentName, invoiceStates, numberText, signedTotal, stateOf } from './words.ts'

export interface InvoiceQuery extends InvoicesFilter {
  limit: number
  cursor?: string
}

interface InvoiceTableProps {
  list: InvoiceList
  query: InvoiceQuery
  organizationId: string | undefined
}

export const InvoiceTable = ({ list, query, organizationId }: InvoiceTableProps) => (
  <div id="invoices" {...liveAt(listHref('/api/invoices', query), invoicesTopic(organizationId))}>
    {list.items.length > 0 ? <Rows list={list} query={query} /> : <NoInvoices list={list} filter={query} />}
  </div>
)

const Rows = ({ list, query }: Omit<InvoiceTableProps, 'organizationId'>) => (
  <>
    <DataTable
      name="invoices"
      caption="Invoices and credit notes, newest first"
      columns={[number('Amount'), 'Status', 'Number', 'Customer', 'Issued', 'Due', actions]}
    >
      <tbody>
        {list.items.map((invoice) => (
          <Row invoice={invoice} />
        ))}
      </tbody>
    </DataTable>
    <More
      noun="invoices"
      shown={list.items.length}
      nextCursor={list.nextCursor}
      query={query}
      page={invoicesPath}
      from="/api/invoices"
      target="#invoices"
    />
  </>
)

const hrefOf = ({ id }: Pick<Invoice, 'id'>): string => `${invoicesPath}/${id}`

const Row = ({ invoice }: { invoice: Invoice }) => (
  <tr id={`invoice-${invoice.id}`}>
    <td data-num data-at="end">
      <b safe>{signedTotal(invoice)}</b>
    </td>
    <td data-at="sub">
      <StatusMark {...stateOf(invoice)} />
    </td>
    <td class="nowrap">
      <a class="row-link" href={hrefOf(invoice)} safe>
        {numberText(invoice)}
      </a>
    </td>
    <td data-at="title" class="wrap-anywhere">
      <a class="row-link narrow-only" href={hrefOf(invoice)} safe>
        {`${numberText(invoice)} · `}
      </a>
      <span safe>{buyerText(invoice)}</span>
      {invoice.kind === 'credit_note' ? <small class="muted"> Credit note</small> : null}
      {invoice.reverseCharge ? <small class="muted"> Reverse charge</small> : null}
    </td>
    <td class="nowrap">{invoice.issuedOn ? <Day day={invoice.issuedOn} /> : null}</td>
    <td class="nowrap" data-at="time">
      {invoice.kind === 'invoice' && invoice.dueOn ? <Day day={invoice.dueOn} /> : null}
    </td>
    <td data-at="menu">
      <RowMenu id={`menu-${invoice.id}`} label={`Actions for ${numberText(invoice)} of ${buyerText(invoice)}`}>
        <MenuLink label={`Show ${documentName(invoice).toLowerCase()}`} icon="file-text" href={hrefOf(invoice)} />
        <MenuLink label="PDF" icon="download" href={`/api/invoices/${invoice.id}/pdf`} target="_blank" />
        <CopyId id={invoice.id} />
      </RowMenu>
    </td>
  </tr>
)

/** A calendar day, which has no time zone. */
export const Day = ({ day }: { day: string }) => (
  <time datetime={day} safe>
    {timeText(`${day}T12:00:00Z`, 'UTC', 'shortDay')}
  </time>
)

const NoInvoices = ({ list, filter }: { list: InvoiceList; filter: InvoiceQuery }) => (
  <NoRows
    noun="invoices"
    isNarrowed={isNarrowed(filter) || filter.cursor !== undefined}
    clear={invoicesHref({ status: filter.status })}
    all={invoicesPath}
    status={filter.status && invoiceStates[filter.status === 'credit_note' ? 'issued' : filter.status]}
  >
    <Empty
      icon="file-text"
      title="No invoices yet"
      text="Create an invoice, or invoice an order from its page. Numbers are assigned without gaps when you issue them."
    >
      {list.can.create ? (
        <Button label="New invoice" icon="plus" variant="primary" commandfor={newInvoiceDialog} command="show-modal" />
      ) : null}
    </Empty>
  </NoRows>
)
