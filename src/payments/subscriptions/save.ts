import type { PaymentsWork } from '../work.ts'
import { eq, sql } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import type { SubscriptionEventType } from '../contract/subscriptions.ts'
import { subscriptions } from '../schema.ts'
import { describeSubscription } from './describe.ts'
import { addForward } from './forwarding/add.ts'
import { readPrice } from './prices.ts'
import type { SubscriptionRow } from './rows.ts'
import { isEnding } from './state.ts'

type Changes = Partial<typeof subscriptions.$inferInsert>

/**
 * On an audited transaction that has locked the row. What the dashboard is to know is forwarded, except of a
 * subscription that never started.
 */
export async function saveSubscription(
  tx: Database,
  work: PaymentsWork,
  before: SubscriptionRow,
  changes: Changes,
): Promise<SubscriptionRow> {
  const expected: SubscriptionRow = Object.assign({}, before, changes)
  const [oldPrice, newPrice] = await Promise.all([readPrice(tx, before.priceId), readPrice(tx, expected.priceId)])
  const was = describeSubscription(before, oldPrice)
  const is = describeSubscription(expected, newPrice)
  const isForwarded = expected.startedAt !== null && (before.startedAt === null || !Bun.deepEquals(was, is))
  const [after] = await tx
    .update(subscriptions)
    .set({
      ...changes,
      ...(isForwarded && { lastSequence: before.lastSequence + 1 }),
      version: sql`${subscriptions.version} + 1`,
    })
    .where(eq(subscriptions.id, before.id))
    .returning()
  if (!after) throw new Error('The locked subscription is gone')
  if (isForwarded) await addForward(tx, work, after, { type: typeOf(before, after), subscription: is })
  if (!Bun.deepEquals(was, is)) {
    const shown = auditFields(before)
    recordChange(tx, {
      object: 'subscription',
      id: after.id,
      organizationId: after.organizationId,
      before: shown,
      after: auditFields(after),
    })
  }
  return after
}

const auditFields = (row: SubscriptionRow) => ({
  package: row.package,
  seats: row.seats,
  status: row.status,
  access: row.access,
  cancelAtPeriodEnd: isEnding(row),
  trialEndsAt: row.trialEndsAt,
  currentPeriodEndsAt: row.currentPeriodEndsAt,
})

function typeOf(before: SubscriptionRow, after: SubscriptionRow): SubscriptionEventType {
  if (before.startedAt === null) return 'subscription.started'
  if (after.status === 'canceled')
    return before.status === 'canceled' ? 'subscription.updated' : 'subscription.canceled'
  if (after.access === 'read_only' && before.access !== 'read_only') return 'subscription.read_only'
  if (after.pastDueSince !== null && before.pastDueSince === null) return 'subscription.past_due'
  if (after.pastDueSince === null && before.pastDueSince !== null) return 'subscription.recovered'
  return 'subscription.updated'
}
