import { sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { freeWorkspaces, platformSubscriptions, subscriptionEvents } from '../schema.ts'
import type { ReceivedSubscriptionChange } from './subscription-change.ts'

type Change = Pick<ReceivedSubscriptionChange, 'ownerType' | 'ownerId' | 'sequence' | 'subscription'>

/**
 * Keeps the newest state of a subscription: what comes twice, late or out of order changes nothing. False when it isn’t the
 * newest.
 */
export async function storeChange(tx: Database, change: Change, receivedAt: Date): Promise<boolean> {
  const { ownerType, ownerId, sequence, subscription } = change
  const { id, status, access, package: name, seats, currentPeriodEndsAt } = subscription
  const state = { ...subscription }
  const values = {
    id,
    ownerType,
    holderId: ownerId,
    status,
    access,
    state,
    sequence,
    receivedAt,
    createdAt: receivedAt,
  }
  const news = {
    ownerType: sql`excluded.owner_type`,
    holderId: sql`excluded.owner_id`,
    status: sql`excluded.status`,
    access: sql`excluded.access`,
    state: sql`excluded.state`,
    sequence: sql`excluded.sequence`,
    receivedAt: sql`excluded.received_at`,
  }
  if (name === 'free') {
    const verifiedUntil = currentPeriodEndsAt === null ? null : new Date(currentPeriodEndsAt)
    const stored = await tx
      .insert(freeWorkspaces)
      .values({ ...values, verifiedUntil })
      .onConflictDoUpdate({
        target: freeWorkspaces.id,
        set: { ...news, verifiedUntil: sql`excluded.verified_until` },
        setWhere: sql`${freeWorkspaces.sequence} < excluded.sequence`,
      })
      .returning({ id: freeWorkspaces.id })
    return stored.length > 0
  }
  const stored = await tx
    .insert(platformSubscriptions)
    .values({ ...values, package: name, seats })
    .onConflictDoUpdate({
      target: platformSubscriptions.id,
      set: { ...news, package: sql`excluded.package`, seats: sql`excluded.seats` },
      setWhere: sql`${platformSubscriptions.sequence} < excluded.sequence`,
    })
    .returning({ id: platformSubscriptions.id })
  return stored.length > 0
}

/** One that was received before is there already. */
export async function storeEvent(
  tx: Database,
  { id, type, sequence, ownerType, ownerId, subscription }: ReceivedSubscriptionChange,
  applied: boolean,
  receivedAt: Date,
): Promise<void> {
  await tx
    .insert(subscriptionEvents)
    .values({ id, subscriptionId: subscription.id, ownerType, holderId: ownerId, type, sequence, applied, receivedAt })
    .onConflictDoNothing()
}
