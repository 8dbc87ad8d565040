import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { transact, type Database } from '#lib/db.ts'
import { Currency, displayMoney } from '#lib/money.ts'
import { raiseAction, resolveAction } from '#lib/raised-actions.ts'
import { differenceKind } from '../notification-kinds.ts'
import { postTransactions, type Posting } from '../ledger/post.ts'
import { ledgerBalances } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'

const causeOf = (organizationId: string): string => `ledger-unassigned:${organizationId}`

/** Takes out of suspense what payments have booked since, and asks people about the rest. */
export const updateSuspense = (work: PaymentsWork, organizationId: string): Promise<void> =>
  transact(work.db, async (tx) => {
    await postTransactions(work, tx, await listAssigned(tx, organizationId, work.now()))
    const left = await readSuspense(tx, organizationId)
    const cause = causeOf(organizationId)
    if (left.length === 0) return resolveAction(tx, cause)
    const href = '/pay/ledger?account=suspense'
    await raiseAction(tx, {
      kind: differenceKind,
      organizationId,
      cause,
      title: `${left.map(moneyOf).join(', ')} at the payment provider isn’t assigned`,
      reason:
        'The balance there changed, and none of your payments or payouts caused it. Find out what it was, and correct the ledger.',
      href,
      actions: [{ label: 'Review', method: 'GET', href }],
    })
  })

interface Suspended {
  currency: string
  balance: bigint
}

/** A debit in suspense left the provider’s balance. */
const moneyOf = ({ currency, balance }: Suspended): string =>
  displayMoney({ minor: -balance, currency: Currency.parse(currency) })

async function readSuspense(tx: Database, organizationId: string): Promise<Suspended[]> {
  const { currency } = ledgerBalances
  const balance = sql`sum(${ledgerBalances.balance})`.mapWith(BigInt)
  return tx
    .select({ currency, balance })
    .from(ledgerBalances)
    .where(and(eq(ledgerBalances.organizationId, organizationId), eq(ledgerBalances.account, 'suspense')))
    .groupBy(currency)
    .having(sql`sum(${ledgerBalances.balance}) <> 0`)
    .orderBy(currency)
}

const Assigned = z.array(
  z.object({
    merchantId: z.string(),
    currency: z.string(),
    correctsId: z.string(),
    providerTransactionId: z.string(),
    entries: z.array(
      z.object({ account: z.enum(['clearing', 'fees', 'suspense']), amount: z.string().transform(BigInt) }),
    ),
  }),
)

/** Transactions that take back those of movements that were booked a second time, as what they are. */
async function listAssigned(tx: Database, organizationId: string, at: Date): Promise<Posting[]> {
  const rows = await tx.execute(sql`
    SELECT held.merchant_id AS "merchantId", held.currency, held.id AS "correctsId",
      held.provider_transaction_id AS "providerTransactionId", (
        SELECT json_agg(json_build_object('account', entry.account, 'amount', (-entry.amount)::text) ORDER BY entry.position)
        FROM payments.ledger_entries AS entry WHERE entry.transaction_id = held.id) AS entries
    FROM payments.ledger_transactions AS held
    WHERE held.organization_id = ${organizationId} AND held.kind = 'unassigned'
      AND EXISTS (
        SELECT FROM payments.ledger_transactions AS other
        WHERE other.provider_transaction_id = held.provider_transaction_id
          AND other.organization_id = held.organization_id AND other.kind NOT IN ('unassigned', 'assigned'))
      AND NOT EXISTS (
        SELECT FROM payments.ledger_transactions AS other
        WHERE other.provider_transaction_id = held.provider_transaction_id
          AND other.organization_id = held.organization_id AND other.kind = 'assigned')`)
  return Assigned.parse(rows).map((row) => ({ ...row, organizationId, kind: 'assigned', at }))
}
