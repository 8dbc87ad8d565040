import { and, desc, eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { PaymentsDashboard } from '../contract/dashboard.ts'
import { ledgerEntries, ledgerTransactions, merchants } from '../schema.ts'

type Stored = z.input<typeof PaymentsDashboard>['payouts']

const maxPayouts = 5

/** The latest to the bank, as the ledger has them. */
export async function listPayouts(
  db: Database,
  organizationId: string,
  merchantId: string | undefined,
): Promise<Stored> {
  const rows = await db
    .select({
      id: ledgerTransactions.id,
      kind: ledgerTransactions.kind,
      at: ledgerTransactions.at,
      merchantName: merchants.name,
      currency: ledgerEntries.currency,
      amount: ledgerEntries.amount,
    })
    .from(ledgerTransactions)
    .innerJoin(
      ledgerEntries,
      and(eq(ledgerEntries.transactionId, ledgerTransactions.id), eq(ledgerEntries.account, 'bank')),
    )
    .leftJoin(merchants, eq(merchants.id, ledgerTransactions.merchantId))
    .where(
      and(
        eq(ledgerTransactions.organizationId, organizationId),
        inArray(ledgerTransactions.kind, ['bank_payout', 'bank_payout_returned']),
        merchantId === undefined ? undefined : eq(ledgerTransactions.merchantId, merchantId),
      ),
    )
    .orderBy(desc(ledgerTransactions.id))
    .limit(maxPayouts)
  return rows.map(({ kind, amount, ...row }) => ({
    ...row,
    amount: amount < 0n ? -amount : amount,
    isReturned: kind === 'bank_payout_returned',
  }))
}
