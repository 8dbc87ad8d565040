import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { keyset, type PageOf } from '#lib/paginate.ts'
import type { LedgerBalance, LedgerBalanceFilter } from '../contract/ledger.ts'
import { ledgerBalances, noVenue } from '../schema.ts'
import { readMerchantNames } from './merchants.ts'

/** Stored sums: what is read doesn’t depend on how many entries there are. */
export async function listBalances(
  db: Database,
  organizationId: string,
  { merchantId, venueId, account, currency, per = 'venue', ...page }: LedgerBalanceFilter,
): Promise<PageOf<z.input<typeof LedgerBalance>>> {
  const keys = {
    merchant: ledgerBalances.merchantId,
    venue:
      per === 'venue' ? sql<string>`${ledgerBalances.venueId}::text` : sql<string>`${sql.raw(`'${noVenue}'`)}::text`,
    account: ledgerBalances.account,
    currency: ledgerBalances.currency,
  }
  const slice = keyset({
    merchant: [keys.merchant, z.guid()],
    account: [keys.account, z.string()],
    currency: [keys.currency, z.string()],
    venue: [keys.venue, z.guid()],
  }).slice(page)
  const rows = await db
    .select({ ...keys, balance: sql`sum(${ledgerBalances.balance})`.mapWith(BigInt) })
    .from(ledgerBalances)
    .where(
      and(
        eq(ledgerBalances.organizationId, organizationId),
        merchantId === undefined ? undefined : eq(ledgerBalances.merchantId, merchantId),
        venueId === undefined ? undefined : eq(ledgerBalances.venueId, venueId),
        account && eq(ledgerBalances.account, account),
        currency && eq(ledgerBalances.currency, currency),
        slice.where,
      ),
    )
    .groupBy(keys.merchant, keys.account, keys.currency, keys.venue)
    .orderBy(...slice.order)
    .limit(slice.limit)
  const { items, nextCursor } = slice.page(rows)
  const names = await readMerchantNames(
    db,
    items.map(({ merchant }) => merchant),
  )
  return {
    nextCursor,
    items: items.map(({ merchant, venue, ...rest }) => ({
      ...rest,
      merchantId: merchant,
      merchantName: names.get(merchant) ?? null,
      venueId: venue === noVenue ? null : venue,
    })),
  }
}
