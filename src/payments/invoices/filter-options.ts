import { asc, desc, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Database } from '#lib/db.ts'
import type { InvoiceFilterOptions } from '../contract/invoices.ts'
import { invoices, merchants } from '../schema.ts'

const latestInvoices = 1_000
const maxMerchants = 200

export async function listFilterOptions(db: Database, actor: Actor): Promise<InvoiceFilterOptions> {
  const organizationId = organizationOf(actor, 'invoices:read')
  const latest = db
    .select({ currency: invoices.currency })
    .from(invoices)
    .where(eq(invoices.organizationId, organizationId))
    .orderBy(desc(invoices.id))
    .limit(latestInvoices)
    .as('latest')
  const [used, sellers] = await Promise.all([
    db.selectDistinct({ currency: latest.currency }).from(latest).orderBy(asc(latest.currency)),
    db
      .select({ id: merchants.id, name: merchants.name })
      .from(merchants)
      .where(eq(merchants.organizationId, organizationId))
      .orderBy(asc(merchants.name))
      .limit(maxMerchants),
  ])
  return { currencies: used.map(({ currency }) => currency), merchants: sellers }
}
