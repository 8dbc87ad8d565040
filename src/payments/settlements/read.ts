import { and, asc, desc, eq, inArray, like, min, or, sql, type SQL } from 'drizzle-orm'
import { createdWithinDays } from '#lib/days.ts'
import { prefixPattern, type Database } from '#lib/db.ts'
import { byId, keyset, type PageOf } from '#lib/paginate.ts'
import {
  BatchStatus,
  type ItemStatus,
  type Settlement,
  type SettlementDetails,
  type SettlementFilter,
  type SettlementItem,
} from '../contract/settlements.ts'
import { settlementItems, settlements } from '../schema.ts'
import { findBatch, ownedBy, type BatchOwner } from './access.ts'
import { listCallbacks } from './callbacks/replay.ts'
import { isResolvable } from './item-state.ts'
import type { BatchRow, ItemRow } from './rows.ts'
import { readTotals } from './totals.ts'
import { z } from 'zod'

type Described = z.input<typeof Settlement>

type Filter = Omit<SettlementFilter, 'limit' | 'cursor'>

const conditionOf = (owner: BatchOwner, { status, currency, q, ...days }: Filter): SQL | undefined =>
  and(
    ownedBy(owner),
    status && eq(settlements.status, status),
    currency && eq(settlements.currency, currency),
    createdWithinDays(settlements, days),
    q === undefined ? undefined : or(like(settlements.batchId, prefixPattern(q)), hasItem(owner, q)),
  )

const hasItem = ({ organizationId }: BatchOwner, q: string): SQL => sql`${settlements.id} IN (
  SELECT item.settlement_id FROM payments.settlement_items AS item
  WHERE item.organization_id = ${organizationId} AND (item.recipient = ${q} OR item.reference = ${q}))`

export async function listBatches(
  db: Database,
  owner: BatchOwner,
  { limit, cursor, ...filter }: SettlementFilter,
): Promise<PageOf<Described>> {
  const slice = byId(settlements.id, 'desc').slice({ limit, ...(cursor !== undefined && { cursor }) })
  const rows = await db
    .select()
    .from(settlements)
    .where(and(conditionOf(owner, filter), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  const page = slice.page(rows)
  const totalsOf = await readTotals(
    db,
    page.items.map(({ id }) => id),
  )
  return { ...page, items: page.items.map((row) => ({ ...row, totals: totalsOf(row.id) })) }
}

const maxCount = 1_001

export async function countBatches(
  db: Database,
  owner: BatchOwner,
  filter: Filter,
): Promise<{ status: BatchStatus; count: number }[]> {
  const counted = await Promise.all(
    BatchStatus.options.map(async (status) => {
      const bounded = db
        .select({ one: sql`1`.as('one') })
        .from(settlements)
        .where(conditionOf(owner, { ...filter, status }))
        .limit(maxCount)
        .as('bounded')
      return { status, count: await db.$count(bounded) }
    }),
  )
  return counted.filter(({ count }) => count > 0)
}

type Rights = Pick<z.input<typeof SettlementDetails>, 'can'>

/** @throws {Problem} 404 */
export async function readBatch(
  db: Database,
  owner: BatchOwner,
  batchId: string,
  rightsIn: (batch: BatchRow) => Promise<Rights['can']>,
): Promise<z.input<typeof SettlementDetails>> {
  const batch = await findBatch(db, owner, batchId)
  const [totalsOf, largest, newRecipients, nextCheckAt, callbacks, can] = await Promise.all([
    readTotals(db, [batch.id]),
    readLargest(db, batch),
    countNewRecipients(db, batch),
    readNextCheck(db, batch),
    listCallbacks(db, batch.id),
    rightsIn(batch),
  ])
  return { ...batch, totals: totalsOf(batch.id), largest, newRecipients, nextCheckAt, callbacks, can }
}

async function readLargest(db: Database, batch: BatchRow) {
  const [item] = await db
    .select()
    .from(settlementItems)
    .where(eq(settlementItems.settlementId, batch.id))
    .orderBy(desc(settlementItems.amount), asc(settlementItems.position))
    .limit(1)
  if (!item) throw new Error('A batch has no items')
  const { reference, recipient, amount } = item
  return { reference, recipient, amount, paidBefore: await db.$count(settlementItems, paidBefore(batch, recipient)) }
}

const paidBefore = ({ id, organizationId }: BatchRow, recipient: string): SQL | undefined =>
  and(
    eq(settlementItems.organizationId, organizationId),
    eq(settlementItems.recipient, recipient),
    eq(settlementItems.status, 'settled'),
    sql`${settlementItems.settlementId} <> ${id}`,
  )

const NewRecipients = z.object({ count: z.coerce.number(), amount: z.coerce.bigint() })

async function countNewRecipients(db: Database, { id, organizationId }: BatchRow) {
  const rows = await db.execute(sql`
    SELECT count(DISTINCT item.recipient) AS count, coalesce(sum(item.amount), 0) AS amount
    FROM payments.settlement_items AS item
    WHERE item.settlement_id = ${id} AND NOT EXISTS (
      SELECT 1 FROM payments.settlement_items AS other
      WHERE other.organization_id = ${organizationId} AND other.recipient = item.recipient
        AND other.settlement_id <> ${id} AND other.status = 'settled')`)
  return NewRecipients.parse(rows[0])
}

/** Of items whose outcome is open. */
async function readNextCheck(db: Database, { id }: BatchRow): Promise<Date | null> {
  const [row] = await db
    .select({ at: min(settlementItems.dueAt) })
    .from(settlementItems)
    .where(and(eq(settlementItems.settlementId, id), inArray(settlementItems.status, ['pending', 'sent', 'unknown'])))
  return row?.at ?? null
}

const byPosition = keyset({ position: [settlementItems.position, z.int().min(0)] })

export async function listItems(
  db: Database,
  { id }: BatchRow,
  { status, limit, cursor }: { status?: ItemStatus | undefined; limit: number; cursor?: string | undefined },
  now: Date,
): Promise<PageOf<z.input<typeof SettlementItem>>> {
  const slice = byPosition.slice({ limit, ...(cursor !== undefined && { cursor }) })
  const rows = await db
    .select()
    .from(settlementItems)
    .where(and(eq(settlementItems.settlementId, id), status && eq(settlementItems.status, status), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  const page = slice.page(rows)
  return { ...page, items: page.items.map((row) => describeItem(row, now)) }
}

export const describeItem = (row: ItemRow, now: Date): z.input<typeof SettlementItem> => ({
  ...row,
  resolvable: isResolvable(row, now),
  returnedAmount: row.reversedAmount,
  nextCheckAt: row.dueAt,
})
