import { inArray } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { Subscription } from '../contract/subscriptions.ts'
import { packagePrices } from '../schema.ts'
import type { PriceRow, SubscriptionRow } from './rows.ts'
import { isEnding, keptUntilOf, readOnlyAtOf } from './state.ts'

type Described = z.input<typeof Subscription>

export const describeSubscription = (row: SubscriptionRow, { currency, unitAmount }: PriceRow): Described => ({
  id: row.id,
  ownerType: row.ownerType,
  ownerId: row.organizationId,
  package: row.package,
  seats: row.seats,
  currency,
  unitAmount,
  status: row.status,
  access: row.access,
  trialEndsAt: row.trialEndsAt,
  currentPeriodStartsAt: row.currentPeriodStartsAt,
  currentPeriodEndsAt: row.currentPeriodEndsAt,
  cancelAtPeriodEnd: isEnding(row),
  cancelAt: row.cancelAt,
  endedAt: row.endedAt,
  keptUntil: keptUntilOf(row, row.access),
  dunning: row.pastDueSince && {
    pastDueSince: row.pastDueSince,
    attempts: row.attempts,
    nextAttemptAt: row.nextAttemptAt,
    lastFailure: row.lastFailure,
    readOnlyAt: readOnlyAtOf(row.pastDueSince),
  },
  createdAt: row.createdAt,
})

/** With their prices. */
export async function describeAll(db: Database, rows: readonly SubscriptionRow[]): Promise<Described[]> {
  const ids = [...new Set(rows.map(({ priceId }) => priceId))]
  const prices = ids.length > 0 ? await db.select().from(packagePrices).where(inArray(packagePrices.id, ids)) : []
  const byId = new Map(prices.map((price) => [price.id, price]))
  return rows.flatMap((row) => {
    const price = byId.get(row.priceId)
    return price ? [describeSubscription(row, price)] : []
  })
}
