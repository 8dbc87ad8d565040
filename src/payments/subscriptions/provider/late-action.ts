import { eq, inArray, and } from 'drizzle-orm'
import { transact, type Database } from '#lib/db.ts'
import { listCauses, resolveAction } from '#lib/raised-actions.ts'
import { listAll, pageAt } from '../../checkout/list-all.ts'
import { subscriptions } from '../../schema.ts'
import type { PaymentsWork } from '../../work.ts'
import { payerOf, type SubscriptionRow } from '../rows.ts'
import type { ProviderInvoice, Snapshot } from './snapshot.ts'

const prefix = 'payments.late-subscription.'

export const lateCause = (id: string): string => prefix + id

/** Of a customer at the provider: what they charged isn’t known to be refunded. */
export async function listLate(db: Database, customerId: string): Promise<SubscriptionRow[]> {
  const ids = (await listCauses(db, prefix)).map((cause) => cause.slice(prefix.length))
  return db
    .select()
    .from(subscriptions)
    .where(and(inArray(subscriptions.id, ids), eq(subscriptions.providerCustomerId, customerId)))
}

/** Resolves the action once everything that was charged is refunded. @throws {Problem} of the gateway */
export async function endRefunded(work: PaymentsWork, row: SubscriptionRow, { invoices }: Snapshot): Promise<void> {
  if (row.status !== 'canceled' || (await listCauses(work.db, lateCause(row.id))).length === 0) return
  for (const invoice of invoices) if (!(await isSettled(work, row, invoice))) return
  await transact(work.db, (tx) => resolveAction(tx, lateCause(row.id)))
}

async function isSettled(
  { gateway: { payments } }: PaymentsWork,
  row: SubscriptionRow,
  { id, status, amountPaid }: ProviderInvoice,
): Promise<boolean> {
  // Its payment can still succeed.
  if (status === 'draft' || status === 'open') return false
  if (amountPaid === 0) return true
  const payer = payerOf(row)
  const { paymentIntentId } = await payments.getInvoice({ ...payer, id })
  if (paymentIntentId === null) return false
  const refunds = await listAll((cursor) =>
    payments.listRefunds({ ...payer, paymentIntent: paymentIntentId, ...pageAt(cursor) }),
  )
  const refunded = refunds
    .filter((refund) => refund.status !== 'failed' && refund.status !== 'canceled')
    .reduce((sum, { amount }) => sum + amount, 0)
  return refunded >= amountPaid
}
