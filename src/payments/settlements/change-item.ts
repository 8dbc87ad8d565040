import { eq, sql } from 'drizzle-orm'
import { transact, type Database } from '#lib/db.ts'
import { postTransactions } from '../ledger/post.ts'
import { settlementItems, settlements } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import { announceSettlement } from './announce.ts'
import type { ItemPosting } from './entries.ts'
import type { ItemChange } from './item-state.ts'
import type { ItemRow } from './rows.ts'

interface Changed {
  /** As it is now; null when the item is gone. */
  item: ItemRow | null
  applied: boolean
}

/**
 * Changes an item with its ledger entries in one transaction, and lets its batch follow. `decide` gets the locked row
 * and returns null to leave it as it is.
 */
export const changeItem = (
  work: PaymentsWork,
  id: string,
  decide: (item: ItemRow) => ItemChange | null,
): Promise<Changed> =>
  transact(work.db, async (tx) => {
    const [before] = await tx.select().from(settlementItems).where(eq(settlementItems.id, id)).for('update')
    if (!before) return { item: null, applied: false }
    const change = decide(before)
    if (!change) return { item: before, applied: false }
    const isNewStatus = change.patch.status !== undefined && change.patch.status !== before.status
    const isReturn = change.patch.reversedAmount !== undefined && change.patch.reversedAmount !== before.reversedAmount
    const isNews = isNewStatus || isReturn
    const [item] = await tx
      .update(settlementItems)
      .set({
        ...change.patch,
        ...(isNews && { changedAt: work.now(), unannounced: true }),
        version: sql`${settlementItems.version} + 1`,
      })
      .where(eq(settlementItems.id, id))
      .returning()
    if (!item) throw new Error('The locked item is gone')
    const wasOpen = before.dueAt !== null
    if (isNews || wasOpen !== (item.dueAt !== null)) await announceSettlement(tx, work, item)
    if (change.postings && change.postings.length > 0) await postItem(tx, work, item, change.postings)
    return { item, applied: true }
  })

async function postItem(
  tx: Database,
  work: PaymentsWork,
  { settlementId }: ItemRow,
  postings: readonly ItemPosting[],
): Promise<void> {
  const [batch] = await tx
    .select({ merchantId: settlements.merchantId })
    .from(settlements)
    .where(eq(settlements.id, settlementId))
  if (!batch) throw new Error('The batch of a locked item is gone')
  await postTransactions(
    work,
    tx,
    postings.map((posting) => ({ ...posting, merchantId: batch.merchantId })),
  )
}
