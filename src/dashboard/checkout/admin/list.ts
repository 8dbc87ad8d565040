import { and, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { beginWith } from '#lib/db/words.ts'
import { byId } from '#lib/paginate.ts'
import { checkouts, checkoutWordsOf } from '../../schema.ts'
import type { AdminCheckoutFilter } from './contract.ts'

const newestFirst = byId(checkouts.id, 'desc')

export const selectCheckouts = (db: Database, { q, state, ...query }: AdminCheckoutFilter) => {
  const { where, order, limit } = newestFirst.slice(query)
  return db
    .select()
    .from(checkouts)
    .where(and(where, state && eq(checkouts.state, state), q ? beginWith(checkoutWordsOf(checkouts), q) : undefined))
    .orderBy(...order)
    .limit(limit)
}

export async function listCheckouts(db: Database, filter: AdminCheckoutFilter) {
  return newestFirst.slice(filter).page(await selectCheckouts(db, filter))
}
