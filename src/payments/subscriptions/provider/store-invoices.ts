import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { fromProviderUnits } from '../../provider-units.ts'
import { subscriptionInvoices } from '../../schema.ts'
import type { SubscriptionRow } from '../rows.ts'
import type { ProviderInvoice, Snapshot } from './snapshot.ts'

const statuses = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const

/** What was read last replaces what was stored. Returns those whose payment is new. */
export async function storeInvoices(
  tx: Database,
  row: SubscriptionRow,
  { invoices }: Snapshot,
): Promise<readonly ProviderInvoice[]> {
  const values = invoices.map((invoice) => rowOf(row, invoice))
  if (values.length === 0) return []
  const known = await tx
    .select({ id: subscriptionInvoices.providerInvoiceId })
    .from(subscriptionInvoices)
    .where(and(eq(subscriptionInvoices.subscriptionId, row.id), eq(subscriptionInvoices.status, 'paid')))
  const wasPaid = new Set(known.map(({ id }) => id))
  await tx
    .insert(subscriptionInvoices)
    .values(values)
    .onConflictDoUpdate({
      target: [subscriptionInvoices.subscriptionId, subscriptionInvoices.providerInvoiceId],
      set: {
        number: sql`excluded.number`,
        status: sql`excluded.status`,
        total: sql`excluded.total`,
        amountDue: sql`excluded.amount_due`,
        amountPaid: sql`excluded.amount_paid`,
        attempts: sql`excluded.attempts`,
        url: sql`excluded.url`,
        pdfUrl: sql`excluded.pdf_url`,
        paidAt: sql`excluded.paid_at`,
      },
    })
  return invoices.filter(({ id, status, amountPaid }) => status === 'paid' && amountPaid > 0 && !wasPaid.has(id))
}

const rowOf = ({ id, organizationId }: SubscriptionRow, invoice: ProviderInvoice) => {
  const { currency } = invoice
  return {
    id: newId(),
    organizationId,
    subscriptionId: id,
    providerInvoiceId: invoice.id,
    number: invoice.number,
    status: statuses.find((status) => status === invoice.status) ?? ('draft' as const),
    reason: invoice.reason,
    currency,
    total: fromProviderUnits(invoice.total, currency),
    amountDue: fromProviderUnits(invoice.amountDue, currency),
    amountPaid: fromProviderUnits(invoice.amountPaid, currency),
    attempts: invoice.attempts,
    periodStartsAt: invoice.periodStartsAt,
    periodEndsAt: invoice.periodEndsAt,
    url: invoice.url,
    pdfUrl: invoice.pdfUrl,
    issuedAt: invoice.createdAt,
    paidAt: invoice.paidAt,
  }
}
