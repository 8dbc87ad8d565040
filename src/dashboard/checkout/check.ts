import { and, eq, isNull, lt, or } from 'drizzle-orm'
import { transact, type Database } from '#lib/db.ts'
import { checkouts, freeWorkspaces, platformSubscriptions } from '../schema.ts'
import type { CheckoutRow } from './rows.ts'
import { findOwner } from './apply.ts'
import { complete, refuseEnded, refuseUnclaimed, settleCheckout } from './settle.ts'
import { storeChange } from './store-change.ts'
import type { CheckoutWork } from './work.ts'

/** Between two looks at one checkout, however many people look at its page. */
const pauseMs = 5_000
/** How long a payment waits for the owner of an existing account. */
const waitingMs = 14 * 24 * 60 * 60_000

/** Whether it is this caller’s turn to ask. */
export async function claimCheck(db: Database, { id }: Pick<CheckoutRow, 'id'>, now: Date): Promise<boolean> {
  const before = new Date(now.getTime() - pauseMs)
  const claimed = await db
    .update(checkouts)
    .set({ checkedAt: now })
    .where(and(eq(checkouts.id, id), or(isNull(checkouts.checkedAt), lt(checkouts.checkedAt, before))))
    .returning({ id: checkouts.id })
  return claimed.length > 0
}

/** Asks payments, which asks the provider, and does what the answer says. */
export async function checkCheckout(work: CheckoutWork, id: string): Promise<void> {
  const { db, now } = work
  const [row] = await db.select().from(checkouts).where(eq(checkouts.id, id))
  if (!row || !['open', 'paid', 'waiting'].includes(row.state)) return
  await db.update(checkouts).set({ checkedAt: now() }).where(eq(checkouts.id, id))
  if (row.state === 'waiting') return checkWaiting(work, row)
  if (row.subscriptionId === null) return abandon(db, row)
  const { sequence, subscription } = await work.subscriptions.check(row.subscriptionId)
  if (subscription.access === 'full') {
    const { ownerType, ownerId } = subscription
    await transact(db, (tx) => storeChange(tx, { ownerType, ownerId, sequence, subscription }, now()))
    await settleCheckout(work, row)
  } else if (subscription.status === 'canceled')
    // One that was paid is being refused: its refund or its email can be missing.
    await (row.state === 'paid' && subscription.ownerType === 'checkout' ? refuseEnded(work, row) : abandon(db, row))
}

/** One that was accepted belongs to its organization already, and only a later step failed. */
async function checkWaiting(work: CheckoutWork, row: CheckoutRow): Promise<void> {
  if (row.subscriptionId === null) return
  const organizationId = await findHolder(work.db, row.subscriptionId)
  if (organizationId !== null) return finishAccepted(work, row, organizationId)
  if (!row.paidAt || work.now().getTime() - row.paidAt.getTime() <= waitingMs) return
  const { subscription } = await work.subscriptions.check(row.subscriptionId)
  await (subscription.ownerType === 'organization'
    ? finishAccepted(work, row, subscription.ownerId)
    : refuseUnclaimed(work, row))
}

async function findHolder(db: Database, subscriptionId: string): Promise<string | null> {
  for (const table of [platformSubscriptions, freeWorkspaces]) {
    const [found] = await db
      .select({ organizationId: table.holderId })
      .from(table)
      .where(and(eq(table.id, subscriptionId), eq(table.ownerType, 'organization')))
    if (found) return found.organizationId
  }
  return null
}

async function finishAccepted(work: CheckoutWork, row: CheckoutRow, organizationId: string): Promise<void> {
  const personId = await findOwner(work, organizationId)
  if (personId !== null) await complete(work, row, { organizationId, personId }, false)
}

const abandon = async (db: Database, { id }: CheckoutRow): Promise<void> => {
  await db
    .update(checkouts)
    .set({ state: 'abandoned' })
    .where(and(eq(checkouts.id, id), eq(checkouts.state, 'open')))
}
