import { inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { ItemStatus, type Totals } from '../contract/settlements.ts'
import { settlementItems } from '../schema.ts'

/** Items that nothing happens to any more without people: the provider doesn’t say what became of them. */
const isStuck = sql`${settlementItems.dueAt} IS NULL AND ${settlementItems.status} IN ('pending', 'sent', 'unknown')`
/** Their money isn’t back yet. */
const isReversing = sql`${settlementItems.status} IN ('failed', 'returned')
  AND ${settlementItems.transferId} IS NOT NULL AND ${settlementItems.reversalId} IS NULL`

export interface ItemCounts {
  items: Record<ItemStatus, number>
  stuck: number
  reversing: number
  /** Of these, those whose transfer can’t be reversed. */
  blocked: number
}

const none = (): Record<ItemStatus, number> => ({
  pending: 0,
  sent: 0,
  unknown: 0,
  settled: 0,
  failed: 0,
  returned: 0,
})

const Counted = z.array(
  z.object({ status: ItemStatus, items: z.number(), stuck: z.number(), reversing: z.number(), blocked: z.number() }),
)

export async function countItems(db: Database, settlementId: string): Promise<ItemCounts> {
  const rows = Counted.parse(
    await db
      .select({
        status: settlementItems.status,
        items: sql<number>`count(*)::int`,
        stuck: sql<number>`(count(*) FILTER (WHERE ${isStuck}))::int`,
        reversing: sql<number>`(count(*) FILTER (WHERE ${isReversing}))::int`,
        blocked: sql<number>`(count(*) FILTER (WHERE ${isReversing} AND ${settlementItems.dueAt} IS NULL))::int`,
      })
      .from(settlementItems)
      .where(sql`${settlementItems.settlementId} = ${settlementId}`)
      .groupBy(settlementItems.status),
  )
  const items = none()
  for (const row of rows) items[row.status] = row.items
  const sumOf = (field: 'stuck' | 'reversing' | 'blocked') => rows.reduce((sum, row) => sum + row[field], 0)
  return { items, stuck: sumOf('stuck'), reversing: sumOf('reversing'), blocked: sumOf('blocked') }
}

const emptyTotals = (): Totals => ({
  pending: { items: 0, amount: 0n },
  sent: { items: 0, amount: 0n },
  unknown: { items: 0, amount: 0n },
  settled: { items: 0, amount: 0n },
  failed: { items: 0, amount: 0n },
  returned: { items: 0, amount: 0n },
})

/** By batch. */
export async function readTotals(db: Database, ids: readonly string[]): Promise<(id: string) => Totals> {
  const totals = new Map(ids.map((id) => [id, emptyTotals()]))
  if (ids.length === 0) return emptyTotals
  const rows = await db
    .select({
      settlementId: settlementItems.settlementId,
      status: settlementItems.status,
      items: sql<number>`count(*)::int`,
      amount: sql`sum(${settlementItems.amount})`.mapWith(BigInt),
    })
    .from(settlementItems)
    .where(inArray(settlementItems.settlementId, [...ids]))
    .groupBy(settlementItems.settlementId, settlementItems.status)
  for (const { settlementId, status, items, amount } of rows) {
    const total = totals.get(settlementId)
    if (total) total[status] = { items, amount }
  }
  return (id) => totals.get(id) ?? emptyTotals()
}
