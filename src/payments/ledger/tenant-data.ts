import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { tenantTable, type ErasureWork, type TenantData } from '#lib/tenant-data.ts'
import { ledgerBalances, ledgerDays, ledgerEntries, ledgerHeads, ledgerTransactions } from '../schema.ts'

/** Transactions per statement, few enough to stay far below DATABASE_STATEMENT_TIMEOUT_MS. */
const batchSize = 2_000

const Erased = z.array(z.object({ count: z.coerce.number() }))

/** Only this function of the database deletes from the ledger. */
async function eraseLedger({ database }: Pick<ErasureWork, 'database'>, organizationId: string): Promise<void> {
  for (;;) {
    const rows = await database.db.execute(
      sql`SELECT payments.erase_ledger(${organizationId}::uuid, ${batchSize}::integer) AS count`,
    )
    if ((Erased.parse(rows)[0]?.count ?? 0) < batchSize) return
  }
}

export const ledgerData: readonly TenantData[] = [
  tenantTable(ledgerEntries, {
    organization: ledgerEntries.organizationId,
    export: [
      ...(['transactionId', 'position', 'organizationId', 'merchantId', 'venueId', 'account'] as const),
      ...(['currency', 'amount'] as const),
    ],
    erasure: { organization: eraseLedger },
    retention: 'owner',
  }),
  tenantTable(ledgerTransactions, {
    organization: ledgerTransactions.organizationId,
    export: [
      ...(['id', 'organizationId', 'merchantId', 'sequence', 'kind', 'currency', 'at', 'bookedOn'] as const),
      ...([
        'closedMonth',
        'orderId',
        'refundId',
        'disputeId',
        'itemId',
        'providerTransactionId',
        'correctsId',
        'note',
      ] as const),
      ...(['createdBy', 'previousHash', 'hash'] as const),
    ],
    erasure: { organization: eraseLedger, person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(ledgerBalances, {
    organization: ledgerBalances.organizationId,
    export: ['merchantId', 'venueId', 'account', 'currency', 'organizationId', 'balance'],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(ledgerDays, {
    organization: ledgerDays.organizationId,
    export: ['merchantId', 'currency', 'day', 'venueId', 'kind', 'account', 'organizationId', 'amount', 'entries'],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(ledgerHeads, {
    organization: ledgerHeads.organizationId,
    export: ['merchantId', 'organizationId', 'sequence', 'hash', 'openFrom'],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
]
