import { eq, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { invalid, Problem } from '#lib/errors.ts'
import { Currency, displayMoney } from '#lib/money.ts'
import { invoiceLetter } from '#views/emails/invoice.tsx'
import { invoices } from '../../schema.ts'
import { permission } from '../drafts/draft.ts'
import { publishInvoice } from '../invoices.topic.ts'
import { countInvoiceMail } from './mail-quota.ts'
import { canPay, createPaymentLink } from './payment-link.ts'
import { findInvoice, invoiceState, lockInvoice, type InvoiceRow } from '../rows.ts'
import { pdfPath } from '../pdf/public-pdf.ts'

type InvoicesCall = Call<unknown, Actor>

/** With a link to its PDF, and to the page to pay on while it is open. @throws {Problem} 404, 409, 422 without an address, 429 */
export async function sendInvoice(
  call: InvoicesCall,
  { id, to }: { id: string; to?: string | undefined },
): Promise<void> {
  const seen = await findInvoice(call.db, organizationOf(call.actor, permission), id)
  requireSendable(seen)
  const recipient = to ?? seen.buyerEmail
  if (recipient === null) throw invalid([{ path: 'to', message: 'The buyer has no email address. Enter one.' }])
  const payUrl = canPay(seen) ? await findPayUrl(call, id) : null
  await auditedTransaction(call, async (tx) => {
    await countInvoiceMail(tx, seen.organizationId, recipient)
    const invoice = await lockInvoice(tx, id)
    requireSendable(invoice)
    const at = call.now()
    await call.mail.send(tx, recipient, letterOf(call, invoice, canPay(invoice) ? payUrl : null), at)
    await tx
      .update(invoices)
      .set({ sentAt: at, sentTo: recipient, version: sql`${invoices.version} + 1` })
      .where(eq(invoices.id, id))
    await publishInvoice(call, tx, invoice)
    recordChange(tx, { object: 'invoice', id, after: { number: invoice.number, sentAt: at } })
  })
}

function requireSendable(invoice: InvoiceRow): void {
  if (invoice.status === 'draft') throw invoiceState(invoice, 'Issue the invoice before you send it.')
  if (invoice.status === 'void') throw invoiceState(invoice, 'A void invoice isn’t sent.')
}

/** Without one while the provider can’t make it: the invoice is sent all the same. */
const findPayUrl = (call: InvoicesCall, id: string): Promise<string | null> =>
  createPaymentLink(call, id).then(
    ({ url }) => url,
    (error: unknown) => {
      if (error instanceof Problem) return null
      throw error
    },
  )

function letterOf({ config, request }: InvoicesCall, invoice: InvoiceRow, payUrl: string | null) {
  const { kind, number, total, currency, language, dueOn, seller } = invoice
  return invoiceLetter({
    isCreditNote: kind === 'credit_note',
    number: number ?? '',
    seller: seller?.name ?? '',
    total: displayMoney({ minor: total, currency: Currency.parse(currency) }, language),
    dueOn: kind === 'invoice' ? dueOn : null,
    language,
    pdfUrl: new URL(pdfPath(invoice.token), config.PAY_APP_URL ?? config.PUBLIC_URL ?? request.url.origin).href,
    payUrl,
  })
}
