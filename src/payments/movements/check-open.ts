import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import { transact } from '#lib/db.ts'
import { nullFor404, Problem } from '#lib/errors.ts'
import { postTransaction } from '../ledger/post.ts'
import { ensureDefaultMerchant } from '../orders/merchants.ts'
import { openMovements } from '../schema.ts'
import { syncs } from '../webhooks/subjects.ts'
import { nextCheckOf, type PaymentsWork } from '../work.ts'
import type { OwnAccount } from './account.ts'
import { canFindCause, findCause } from './find-cause.ts'
import { unassignedPosting } from './kinds.ts'
import { findBooked } from './read.ts'

type OpenRow = typeof openMovements.$inferSelect

const batch = 100

/**
 * Movements that payments had to book: those that are booked meanwhile are done, others are brought to the state of their
 * payment, and those that none of ours caused wait for people in suspense.
 */
export async function checkOpenMovements(work: PaymentsWork, account: OwnAccount): Promise<void> {
  const due = await work.db
    .select()
    .from(openMovements)
    .where(
      and(
        eq(openMovements.organizationId, account.organizationId),
        eq(openMovements.account, account.account),
        lte(openMovements.dueAt, work.now()),
      ),
    )
    .orderBy(asc(openMovements.dueAt))
    .limit(batch)
  await forgetBooked(work, account, due)
  for (const row of due) await checkOne(work, account, row)
  await forgetBooked(work, account, due)
}

async function forgetBooked(
  { db }: PaymentsWork,
  { organizationId }: OwnAccount,
  rows: readonly OpenRow[],
): Promise<void> {
  const ids = rows.map(({ transactionId }) => transactionId)
  const booked = await findBooked(db, organizationId, ids)
  if (booked.size === 0) return
  await db
    .delete(openMovements)
    .where(and(eq(openMovements.organizationId, organizationId), inArray(openMovements.transactionId, [...booked])))
}

const rowOf = ({ organizationId, account, transactionId }: OpenRow) =>
  and(
    eq(openMovements.organizationId, organizationId),
    eq(openMovements.account, account),
    eq(openMovements.transactionId, transactionId),
  )

async function checkOne(work: PaymentsWork, account: OwnAccount, row: OpenRow): Promise<void> {
  const next = nextCheckOf(work, row.checks + 1)
  const [open] = await work.db
    .update(openMovements)
    .set({ checks: row.checks + 1, dueAt: next ?? work.now() })
    .where(and(rowOf(row), eq(openMovements.checks, row.checks)))
    .returning()
  if (!open) return
  const movement = await work.gateway.payments
    .getBalanceTransaction({ ...account.payer, id: row.transactionId })
    .catch(nullFor404)
  if (!movement) return
  const cause = await findCause(work, account, movement)
  if (cause) {
    await syncs[cause.kind]?.(work, cause.id, cause.intentId).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
      work.log.warn('A movement’s payment couldn’t be read', { movement: movement.id, code: error.code })
    })
    if (next !== null) return
  } else if (next !== null && (row.checks === 0 || !canFindCause(movement))) return
  await transact(work.db, async (tx) => {
    const { organizationId } = account
    const [left] = await tx.delete(openMovements).where(rowOf(row)).returning()
    if (!left || (await findBooked(tx, organizationId, [movement.id])).size > 0) return
    const { id: merchantId } = await ensureDefaultMerchant(tx, organizationId)
    await postTransaction(work, tx, unassignedPosting(movement, { organizationId, merchantId }))
  })
}
