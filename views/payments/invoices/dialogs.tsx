import type { InvoiceDetails } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { InvoiceFields } from './form.tsx'
import { documentName } from './words.ts'

export const editDialog = 'edit-invoice'
export const issueDialog = 'issue-invoice'
export const deleteDialog = 'delete-invoice'
export const sendDialog = 'send-invoice'
export const paidDialog = 'invoice-paid'
export const voidDialog = 'void-invoice'

interface OfInvoice {
  invoice: InvoiceDetails
}

export const InvoiceDialogs = ({ invoice }: OfInvoice) => (
  <>
    {invoice.can.edit ? <EditDialog invoice={invoice} /> : null}
    {invoice.can.edit ? <DeleteDialog invoice={invoice} /> : null}
    {invoice.can.issue ? <IssueDialog invoice={invoice} /> : null}
    {invoice.can.send ? <SendDialog invoice={invoice} /> : null}
    {invoice.can.markPaid ? <PaidDialog invoice={invoice} /> : null}
    {invoice.can.void ? <VoidDialog invoice={invoice} /> : null}
  </>
)

const EditDialog = ({ invoice }: OfInvoice) => (
  <Dialog id={editDialog} title="Edit draft">
    <Form hx-put={`/api/invoices/${invoice.id}`}>
      <div class="body stack">
        <InvoiceFields invoice={invoice} />
      </div>
      <DialogButtons dialog={editDialog} submit="Save draft" />
    </Form>
  </Dialog>
)

const DeleteDialog = ({ invoice }: OfInvoice) => (
  <Dialog id={deleteDialog} title="Delete draft?">
    <Form hx-delete={`/api/invoices/${invoice.id}`}>
      <div class="body">
        <p>It has no number yet, so nothing is missing afterwards.</p>
      </div>
      <footer>
        <Button label="Keep draft" variant="ghost" commandfor={deleteDialog} command="close" autofocus />
        <Button label="Delete draft" variant="danger" type="submit" />
      </footer>
    </Form>
  </Dialog>
)

const IssueDialog = ({ invoice }: OfInvoice) => (
  <Dialog id={issueDialog} title="Issue invoice?">
    <Form hx-post={`/api/invoices/${invoice.id}/issue`}>
      <div class="body">
        <p>It gets the next number, and no longer changes.</p>
      </div>
      <DialogButtons dialog={issueDialog} submit="Issue" focusCancel />
    </Form>
  </Dialog>
)

const SendDialog = ({ invoice }: OfInvoice) => (
  <Dialog id={sendDialog} title={`Send ${documentName(invoice).toLowerCase()}`}>
    <Form hx-post={`/api/invoices/${invoice.id}/send`}>
      <div class="body stack">
        <TextField
          label="Email"
          name="to"
          id="invoice-send-to"
          type="email"
          autocomplete="off"
          required
          autofocus
          value={invoice.sentTo ?? invoice.buyer.email ?? ''}
          hint={invoice.can.pay ? 'With links to the PDF and to the page to pay on.' : 'With a link to the PDF.'}
        />
      </div>
      <DialogButtons dialog={sendDialog} submit="Send" />
    </Form>
  </Dialog>
)

const PaidDialog = ({ invoice }: OfInvoice) => (
  <Dialog id={paidDialog} title="Mark as paid">
    <Form hx-post={`/api/invoices/${invoice.id}/paid`}>
      <div class="body stack">
        <p>Its money came another way, such as by bank transfer. An open payment link is closed.</p>
        <TextField label="Paid on" name="paidOn" id="invoice-paid-on" type="date" hint="Today when left empty." />
      </div>
      <DialogButtons dialog={paidDialog} submit="Mark as paid" />
    </Form>
  </Dialog>
)

const VoidDialog = ({ invoice }: OfInvoice) => (
  <Dialog id={voidDialog} title={`Void ${invoice.number ?? ''}?`}>
    <Form hx-post={`/api/invoices/${invoice.id}/void`}>
      <div class="body stack">
        <p>It keeps its number. This can’t be undone.</p>
        <TextField label="Reason" name="reason" id="invoice-void-reason" maxlength={500} required autofocus />
        <label class="check">
          <input type="checkbox" name="creditNote" value="true" />
          <span>
            Also issue a credit note
            <small class="muted"> When the customer already has the invoice.</small>
          </span>
        </label>
      </div>
      <DialogButtons dialog={voidDialog} submit="Void" danger />
    </Form>
  </Dialog>
)
