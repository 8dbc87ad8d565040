import { sql } from 'drizzle-orm'
import type { Database, DatabaseHandle } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { postTransaction, postTransactions, type Posting } from '../../src/payments/ledger/post.ts'
import { verifyLedger } from '../../src/payments/ledger/verify.ts'

export interface Merchant {
  organizationId: string
  merchantId: string
}

export async function addMerchant({ db }: { db: Database }, organizationId: string): Promise<Merchant> {
  const merchantId = newId()
  await db.execute(sql`
    INSERT INTO payments.merchants (id, organization_id, name, invoice_prefix)
    VALUES (${merchantId}, ${organizationId}, ${merchantId}, upper(right(${merchantId}, 12)))`)
  return { organizationId, merchantId }
}

/** A captured payment, of which the provider keeps a fee. */
export const capture = (merchant: Merchant, gross: bigint, fee: bigint, more: Partial<Posting> = {}): Posting => ({
  ...merchant,
  kind: 'capture',
  at: new Date('2026-11-21T10:20:30.456Z'),
  currency: 'EUR',
  entries: [
    { account: 'clearing', amount: gross - fee },
    { account: 'fees', amount: fee },
    { account: 'merchant', amount: -gross },
  ],
  ...more,
})

/** Without pages that follow. */
export const quiet = { events: { publish: async () => {} } }

export const post = ({ transaction }: Pick<DatabaseHandle, 'transaction'>, posting: Posting): Promise<boolean> =>
  transaction((tx) => postTransaction(quiet, tx, posting))

export const postAll = (
  { transaction }: Pick<DatabaseHandle, 'transaction'>,
  postings: readonly Posting[],
): Promise<boolean[]> => transaction((tx) => postTransactions(quiet, tx, postings))

export const verifyAll = ({ db }: Pick<DatabaseHandle, 'db'>, { organizationId }: Merchant) =>
  verifyLedger(db, { organizationId, signal: new AbortController().signal })
