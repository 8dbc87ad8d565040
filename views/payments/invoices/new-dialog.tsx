import type { InvoiceFilterOptions } from '#payments/types'
import { Form } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { InvoiceFields } from './form.tsx'

export const newInvoiceDialog = 'new-invoice'

export const NewInvoiceDialog = ({ options }: { options: InvoiceFilterOptions }) => (
  <Dialog id={newInvoiceDialog} title="New invoice">
    <Form hx-post="/api/invoices">
      <div class="body stack">
        <InvoiceFields currencies={options.currencies} merchants={options.merchants} />
      </div>
      <DialogButtons dialog={newInvoiceDialog} submit="Create draft" />
    </Form>
  </Dialog>
)
