import type { InvoiceDetails } from '#payments/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { liveAt } from '#views/ui/live.ts'
import { StatusMark } from '#views/ui/marks.tsx'
import { Menu, MenuItem, MenuLink } from '#views/ui/overlays.tsx'
import { CopyId } from '../orders/table.tsx'
import { InvoiceAside } from './aside.tsx'
import {
  deleteDialog,
  editDialog,
  InvoiceDialogs,
  issueDialog,
  paidDialog,
  sendDialog,
  voidDialog,
} from './dialogs.tsx'
import { invoicesPath, invoicesTopic } from './filters.tsx'
import { Paper } from './paper.tsx'
import { documentName, numberText, signedTotal, stateOf } from './words.ts'

export interface InvoiceProps {
  invoice: InvoiceDetails
  organizationId: string | undefined
}

export const InvoiceView = ({ invoice, organizationId }: InvoiceProps) => (
  <div id="invoice" {...liveAt(`/api/invoices/${invoice.id}`, invoicesTopic(organizationId))}>
    <Header invoice={invoice} />
    <div class="page split" style="--aside: 21rem">
      <div class="stack">
        <Next invoice={invoice} />
        <Paper invoice={invoice} />
      </div>
      <InvoiceAside invoice={invoice} />
    </div>
  </div>
)

interface OfInvoice {
  invoice: InvoiceDetails
}

const Header = ({ invoice }: OfInvoice) => (
  <header class="page-header">
    <nav class="crumbs" aria-label="Breadcrumb">
      <a href={invoicesPath}>Invoices</a>
    </nav>
    <h1>
      <span safe>{signedTotal(invoice)}</span>
      <small class="muted" safe>{`${documentName(invoice)} ${numberText(invoice)}`}</small>
    </h1>
    <StatusMark {...stateOf(invoice)} />
    <div class="actions">
      <ButtonLink
        label="PDF"
        icon="download"
        variant="ghost"
        href={`/api/invoices/${invoice.id}/pdf`}
        target="_blank"
      />
      <Primary invoice={invoice} />
      <Button label="More actions" icon="ellipsis" iconOnly popovertarget="invoice-menu" />
      <MoreActions invoice={invoice} />
    </div>
    <InvoiceDialogs invoice={invoice} />
  </header>
)

const Primary = ({ invoice: { can, sentAt } }: OfInvoice) => (
  <>
    {can.edit ? (
      <Button label="Edit" id="open-edit" icon="pen-line" commandfor={editDialog} command="show-modal" />
    ) : null}
    {can.issue ? (
      <Button
        label="Issue"
        id="open-issue"
        icon="check"
        variant="primary"
        commandfor={issueDialog}
        command="show-modal"
      />
    ) : null}
    {can.markPaid ? <Button label="Mark as paid" id="open-paid" commandfor={paidDialog} command="show-modal" /> : null}
    {can.send ? (
      <Button
        label={sentAt ? 'Send again' : 'Send'}
        id="open-send"
        icon="mail"
        variant={sentAt ? undefined : 'primary'}
        commandfor={sendDialog}
        command="show-modal"
      />
    ) : null}
  </>
)

const MoreActions = ({ invoice }: OfInvoice) => (
  <Menu id="invoice-menu">
    {invoice.order ? <MenuLink label="Show order" icon="receipt" href={`/pay/orders/${invoice.order.id}`} /> : null}
    {invoice.can.pay ? (
      <Form hx-post={`/api/invoices/${invoice.id}/payment-link`}>
        <MenuItem label="Create payment link" icon="link" type="submit" />
      </Form>
    ) : null}
    <CopyId id={invoice.id} />
    <MenuLink label="Show as JSON" icon="code" href={`/api/invoices/${invoice.id}?format=json`} />
    {invoice.can.void ? (
      <>
        <hr />
        <MenuItem label="Void" icon="circle-slash" danger commandfor={voidDialog} command="show-modal" />
      </>
    ) : null}
    {invoice.can.edit ? (
      <>
        <hr />
        <MenuItem label="Delete draft" icon="x" danger commandfor={deleteDialog} command="show-modal" />
      </>
    ) : null}
  </Menu>
)

/** What to do next, and why an invoice is void. */
const Next = ({ invoice }: OfInvoice) => {
  if (invoice.status === 'void')
    return <Notice title="This invoice is void" text={invoice.voidReason ?? 'It keeps its number.'} />
  if (invoice.status !== 'draft' || invoice.seller.taxNumber) return <></>
  return (
    <Notice
      tone="warning"
      title="The merchant has no tax number"
      text="Add its legal name, address and tax number before you issue the invoice: they are printed on it."
    />
  )
}
