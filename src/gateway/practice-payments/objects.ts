import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { keyset } from '#lib/paginate.ts'
import type { PaymentObjectFilter } from './contract.ts'
import { paymentObjects } from './schema.ts'
import { accountOfKey } from './wire/account.ts'

const order = keyset({ position: [paymentObjects.position, z.int().positive()] }, 'desc')

/** Everything that the practice payments hold, the newest first. */
export async function listPaymentObjects(db: Database, filter: z.output<typeof PaymentObjectFilter>) {
  const { where, order: sorted, limit, page } = order.slice(filter)
  const { account, type, isDeleted } = paymentObjects
  const rows = await db
    .select()
    .from(paymentObjects)
    .where(
      and(
        where,
        eq(isDeleted, false),
        filter.type ? eq(type, filter.type) : undefined,
        filter.apiKey ? eq(account, accountOfKey(filter.apiKey)) : undefined,
      ),
    )
    .orderBy(...sorted)
    .limit(limit)
  const { items, nextCursor } = page(rows)
  return {
    items: items.map((row) => ({
      id: row.id,
      object: row.type,
      account: row.account,
      createdAt: new Date(row.created * 1000),
      data: row.data,
    })),
    nextCursor,
  }
}
