import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { tenantTable, type ErasureWork, type TenantData } from '#lib/tenant-data.ts'
import { invoiceLines, invoiceNumbers, invoices } from '../schema.ts'

/** Invoices per statement, few enough to stay far below DATABASE_STATEMENT_TIMEOUT_MS. */
const batchSize = 1_000

const Erased = z.array(z.object({ count: z.coerce.number() }))

/** Only this function of the database deletes issued invoices. */
async function eraseInvoices({ database }: Pick<ErasureWork, 'database'>, organizationId: string): Promise<void> {
  for (;;) {
    const rows = await database.db.execute(
      sql`SELECT payments.erase_invoices(${organizationId}::uuid, ${batchSize}::integer) AS count`,
    )
    if ((Erased.parse(rows)[0]?.count ?? 0) < batchSize) return
  }
}

/** Tax law keeps issued invoices with their buyers, also of erased customers, as long as the organization exists. */
export const invoicesData: readonly TenantData[] = [
  tenantTable(invoiceLines, {
    organization: invoiceLines.organizationId,
    export: [
      ...(['invoiceId', 'organizationId', 'position', 'name', 'quantity', 'unitAmount', 'discount'] as const),
      ...(['taxRate', 'tax', 'total'] as const),
    ],
    erasure: { organization: eraseInvoices },
    retention: 'owner',
  }),
  tenantTable(invoices, {
    organization: invoices.organizationId,
    export: [
      ...([
        'id',
        'organizationId',
        'merchantId',
        'kind',
        'status',
        'number',
        'orderId',
        'invoiceId',
        'refundId',
      ] as const),
      ...([
        'customerId',
        'currency',
        'taxMode',
        'taxRounding',
        'reverseCharge',
        'reverseChargeWanted',
        'subtotal',
        'discount',
        'tax',
      ] as const),
      ...([
        'total',
        'credited',
        'language',
        'seller',
        'buyerName',
        'buyerEmail',
        'buyerTaxNumber',
        'buyerAddress',
      ] as const),
      ...(['reference', 'note', 'reason', 'paymentDays', 'serviceFrom', 'serviceTo', 'issuedOn', 'dueOn'] as const),
      ...(['issuedAt', 'issuedBy', 'paidAt', 'paidOutside', 'voidedAt', 'voidReason', 'sentAt', 'sentTo'] as const),
      ...(['createdBy', 'createdAt'] as const),
    ],
    erasure: { organization: eraseInvoices, person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(invoiceNumbers, {
    organization: invoiceNumbers.organizationId,
    export: { never: 'It only counts the invoices.' },
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
]
