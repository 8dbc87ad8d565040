import { and, eq, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import { byId } from '#lib/paginate.ts'
import { resolveAction } from '#lib/raised-actions.ts'
import type {
  SubscriptionForward,
  SubscriptionForwardFilter,
  SubscriptionForwardList,
} from '../../contract/subscriptions.ts'
import { subscriptionForwards } from '../../schema.ts'
import { causeOf, forwardChanges } from './deliver.ts'

type ForwardCall = Call<unknown, Actor>

/** Of the organization; of all for super admins, whose subscriptions they are. */
const ownedBy = ({ actor }: ForwardCall): SQL | undefined =>
  actor.isSuperAdmin ? undefined : eq(subscriptionForwards.organizationId, organizationOf(actor, 'payments:read'))

/** What the dashboard’s server answered is for super admins only. */
const shownTo = ({ actor }: ForwardCall, row: typeof subscriptionForwards.$inferSelect) =>
  actor.isSuperAdmin ? row : { ...row, problem: null }

/** The newest first. */
export async function listForwards(
  call: ForwardCall,
  { state, limit, cursor }: SubscriptionForwardFilter,
): Promise<z.input<typeof SubscriptionForwardList>> {
  const slice = byId(subscriptionForwards.id, 'desc').slice({ limit, ...(cursor !== undefined && { cursor }) })
  const rows = await call.db
    .select()
    .from(subscriptionForwards)
    .where(and(ownedBy(call), state && eq(subscriptionForwards.state, state), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  const { items, nextCursor } = slice.page(rows)
  return { items: items.map((row) => shownTo(call, row)), nextCursor }
}

/** With all its retries. Later changes aren’t sent again: the dashboard ignores an older sequence. @throws {Problem} 404 */
export async function replayForward(call: ForwardCall, id: string): Promise<z.input<typeof SubscriptionForward>> {
  const { db, queue, now, dashboard } = call
  const [row] = await db
    .update(subscriptionForwards)
    .set({ state: 'waiting', tries: 0, nextAttemptAt: now(), settledAt: null })
    .where(and(ownedBy(call), eq(subscriptionForwards.id, id)))
    .returning()
  if (!row) throw notFound('change')
  await resolveAction(db, causeOf(id))
  if (dashboard) await queue.enqueue(db, forwardChanges, { subscriptionId: row.subscriptionId })
  recordChange(db, {
    object: 'subscription_forward',
    id,
    organizationId: row.organizationId,
    after: { subscriptionId: row.subscriptionId, sequence: row.sequence, state: row.state },
  })
  return shownTo(call, row)
}
