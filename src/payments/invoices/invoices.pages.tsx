import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Limit } from '#lib/paginate.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { InvoiceView } from '#views/payments/invoices/invoice.tsx'
import { InvoicesPage } from '#views/payments/invoices/page.tsx'
import { InvoiceFilter, type InvoiceDetails } from '../contract/invoices.ts'
import {
  getInvoice,
  getInvoiceCounts,
  getInvoiceFilterOptions,
  getInvoiceSummary,
  listInvoices,
} from './invoices.operations.tsx'

const firstRows = 20

const { shape } = InvoiceFilter

/** Links that are outdated show the list without what they got wrong. */
const Query = z.object({
  status: ignoreInvalid(shape.status),
  q: ignoreInvalid(shape.q),
  email: ignoreInvalid(shape.email),
  currency: ignoreInvalid(shape.currency),
  merchantId: ignoreInvalid(shape.merchantId),
  customerId: ignoreInvalid(shape.customerId),
  orderId: ignoreInvalid(shape.orderId),
  from: ignoreInvalid(shape.from),
  to: ignoreInvalid(shape.to),
  timeZone: z.unknown().optional(),
  cursor: shape.cursor,
  limit: Limit.catch(firstRows),
})

export const invoicesPage = page({
  path: '/pay/invoices',
  permission: 'invoices:read',
  query: Query,
  screen: 'usage payments',
  icon: 'file-text',
  title: 'Invoices',
  keywords: 'payments credit notes billing numbers pdf',
  load: async ({ ask, input, actor }) => {
    const { timeZone: _, ...query } = input
    const { limit: __, cursor: ___, ...conditions } = query
    const [list, counts, summary, options] = await Promise.all([
      ask(listInvoices, query),
      ask(getInvoiceCounts, conditions),
      ask(getInvoiceSummary, {}),
      ask(getInvoiceFilterOptions, conditions),
    ])
    return { list, counts, summary, options, query, organizationId: actor.organization?.id }
  },
  view: (props) => <InvoicesPage {...props} />,
})

export const invoicePage = page({
  path: '/pay/invoices/:id',
  permission: 'invoices:read',
  query: z.object({ id: Id }),
  screen: 'payments',
  title: ({ invoice }: { invoice: InvoiceDetails }) => invoice.number ?? 'Draft of an invoice',
  load: async ({ ask, input, actor }) => ({
    invoice: await ask(getInvoice, input),
    organizationId: actor.organization?.id,
  }),
  view: (props) => <InvoiceView {...props} />,
})
