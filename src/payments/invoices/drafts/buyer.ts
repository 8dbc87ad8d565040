import { and, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { invalid } from '#lib/errors.ts'
import { FormatLanguage } from '#lib/time.ts'
import type { Address } from '../../contract/address.ts'
import type { InvoiceDraft } from '../../contract/invoices.ts'
import { checkTaxNumber } from '../../contract/tax-number.ts'
import { customers } from '../../schema.ts'

export interface Buyer {
  customerId: string | null
  buyerName: string | null
  buyerEmail: string | null
  buyerTaxNumber: string | null
  buyerAddress: Address | null
  language: FormatLanguage
}

type Wanted = Pick<InvoiceDraft, 'customerId' | 'buyer' | 'language'>
type CustomerRow = typeof customers.$inferSelect

interface Known {
  customerId: string | null
  customerName: string | null
  customerEmail: string | null
}

/**
 * Of a draft: what was sent, else the customer’s data, else the order’s. The customer is locked against a concurrent
 * erasure. @throws {Problem} 422
 */
export async function resolveBuyer(
  db: Database,
  organizationId: string,
  { customerId, buyer, language }: Wanted,
  order: Known | null,
): Promise<Buyer> {
  const wanted = customerId ?? order?.customerId ?? null
  const customer = wanted === null ? null : await findCustomer(db, organizationId, wanted)
  if (wanted !== null && customer === null && customerId !== undefined)
    throw invalid([{ path: 'customerId', message: 'This customer doesn’t exist.' }])
  if (customer?.archivedAt && customerId !== undefined)
    throw invalid([{ path: 'customerId', message: 'This customer is archived. Restore it, or choose another one.' }])
  const buyerAddress = buyer?.address ?? customer?.address ?? null
  const sentNumber = checkTaxNumber(buyer?.taxNumber ?? null, buyerAddress?.country ?? null, 'buyer.taxNumber')
  return {
    customerId: customer?.id ?? null,
    buyerName: buyer?.name ?? customer?.name ?? order?.customerName ?? null,
    buyerEmail: buyer?.email ?? customer?.email ?? order?.customerEmail ?? null,
    buyerTaxNumber: sentNumber ?? customer?.taxNumber ?? null,
    buyerAddress,
    language: language ?? languageOf(customer?.language ?? null),
  }
}

async function findCustomer(db: Database, organizationId: string, id: string): Promise<CustomerRow | null> {
  const [row] = await db
    .select()
    .from(customers)
    .where(and(eq(customers.id, id), eq(customers.organizationId, organizationId)))
    .for('share')
  return row && row.erasedAt === null ? row : null
}

/** The language of documents for a customer’s: `de-AT` becomes de-DE. */
function languageOf(language: string | null): FormatLanguage {
  const exact = FormatLanguage.safeParse(language)
  if (exact.success) return exact.data
  return FormatLanguage.options.find((each) => each.slice(0, 2) === language?.slice(0, 2)) ?? 'en-GB'
}
