import { and, desc, eq, isNotNull, ne, or, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { conflict, notFound, type Problem } from '#lib/errors.ts'
import type { OwnerType, Package } from '../contract/subscriptions.ts'
import { packagePrices, subscriptions } from '../schema.ts'

export type SubscriptionRow = typeof subscriptions.$inferSelect
export type PriceRow = typeof packagePrices.$inferSelect

/** For requests about what a subscription has at the provider. */
export const payerOf = ({ ownerType, organizationId, accountKey }: PayingRow) => ({
  ...(ownerType === 'organization' && { organizationId }),
  accountKey,
})

export type PayingRow = Pick<SubscriptionRow, 'ownerType' | 'organizationId' | 'accountKey'>

/** @throws {Problem} 404 */
export async function findSubscription(db: Database, id: string): Promise<SubscriptionRow> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id))
  if (!row) throw notFound('subscription')
  return row
}

/** An owner has at most one that isn’t canceled, and one of the free workspace. */
export async function findOpen(
  db: Database,
  { ownerType, ownerId, package: name }: { ownerType: OwnerType; ownerId: string; package: Package },
): Promise<SubscriptionRow | null> {
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.ownerType, ownerType),
        eq(subscriptions.organizationId, ownerId),
        name === 'free' ? eq(subscriptions.package, 'free') : ne(subscriptions.package, 'free'),
        ne(subscriptions.status, 'canceled'),
      ),
    )
    .orderBy(desc(subscriptions.id))
    .limit(1)
  return row ?? null
}

/** Its package, its free workspace, or both. */
export const listOpen = (db: Database, organizationId: string): Promise<SubscriptionRow[]> =>
  db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.organizationId, organizationId), ne(subscriptions.status, 'canceled')))

/** The open one, else the last that ended. */
export async function findCurrent(db: Database, organizationId: string): Promise<SubscriptionRow | null> {
  const isEnded = sql`${subscriptions.status} = 'canceled'`
  const isFree = sql`${subscriptions.package} = 'free'`
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.organizationId, organizationId),
        or(isNotNull(subscriptions.startedAt), ne(subscriptions.status, 'canceled')),
      ),
    )
    .orderBy(isEnded, isFree, desc(subscriptions.id))
    .limit(1)
  return row ?? null
}

export const wrongState = ({ status }: SubscriptionRow, detail: string): Problem =>
  conflict('subscription_state', detail, { subscriptionStatus: status })

export const providerIdOf = (row: SubscriptionRow): string => {
  if (row.providerSubscriptionId === null)
    throw wrongState(row, 'The subscription isn’t at the payment provider yet. Its checkout has to be completed first.')
  return row.providerSubscriptionId
}
