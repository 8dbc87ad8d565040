import { and, eq, isNull } from 'drizzle-orm'
import { transact } from '#lib/db.ts'
import { nullFor404, type Problem } from '#lib/errors.ts'
import { accountUnknown, endLostAccount, raiseLostAccount } from '../provider-account.ts'
import { settlementItems, settlements } from '../schema.ts'
import { nextCheckOf, type PaymentsWork } from '../work.ts'
import { changeItem } from './change-item.ts'
import { accountLost } from './item-state.ts'
import type { BatchRow, ItemRow } from './rows.ts'

/** A batch that was stored before accounts were is paid from the current one. */
export async function withBatchAccount(work: PaymentsWork, batch: BatchRow): Promise<BatchRow> {
  if (batch.accountKey !== null) return batch
  const { id, organizationId } = batch
  const { accountKey, level } = await work.gateway.payments.getAccount({ organizationId })
  if (level === 'platform') throw accountUnknown()
  await transact(work.db, async (tx) => {
    await tx
      .update(settlements)
      .set({ accountKey })
      .where(and(eq(settlements.id, id), isNull(settlements.accountKey)))
    await tx
      .update(settlementItems)
      .set({ accountKey })
      .where(and(eq(settlementItems.settlementId, id), isNull(settlementItems.accountKey)))
  })
  return { ...batch, accountKey }
}

/** An item that was sent before accounts were stored belongs to the current one if that has its transfer. @throws {Problem} 409 */
export async function withItemAccount(work: PaymentsWork, item: ItemRow): Promise<ItemRow> {
  if (item.accountKey !== null) return item
  const { id, organizationId, transferId } = item
  const { payments } = work.gateway
  const { accountKey } = await payments.getAccount({ organizationId })
  if (transferId !== null) {
    const transfer = await payments.getTransfer({ organizationId, accountKey, id: transferId }).catch(nullFor404)
    if (transfer?.metadata['itemId'] !== id) throw accountUnknown()
  }
  await work.db
    .update(settlementItems)
    .set({ accountKey })
    .where(and(eq(settlementItems.id, id), isNull(settlementItems.accountKey)))
  return { ...item, accountKey }
}

/** Its status stays; it is looked at daily until its account has a key again, and people are told. */
export async function releaseLost(work: PaymentsWork, item: ItemRow, owner: string, problem: Problem): Promise<void> {
  await changeItem(work, item.id, (row) =>
    row.leaseOwner === owner
      ? {
          patch: {
            leaseOwner: null,
            checkedAt: work.now(),
            dueAt: nextCheckOf(work, Infinity, { repeat: true }),
            failureCode: accountLost,
            failureMessage: problem.message,
          },
        }
      : null,
  )
  await transact(work.db, (tx) => raiseLostAccount(tx, item, problem))
}

/** Its account could be read again. */
export async function endItemLost(work: PaymentsWork, before: ItemRow, item: ItemRow): Promise<ItemRow> {
  if (before.failureCode !== accountLost) return item
  await transact(work.db, (tx) => endLostAccount(tx, item))
  const cleared = await changeItem(work, item.id, (row) =>
    row.failureCode === accountLost ? { patch: { failureCode: null, failureMessage: null } } : null,
  )
  return cleared.item ?? item
}
