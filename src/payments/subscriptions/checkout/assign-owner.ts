import { eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { conflict, invalid } from '#lib/errors.ts'
import {
  subscriptionChanges,
  subscriptionForwards,
  subscriptionInvoices,
  subscriptionNotices,
  subscriptions,
} from '../../schema.ts'
import { inAuditedTransaction } from '../provider/sync.ts'
import { findOpen, findSubscription, wrongState, type SubscriptionRow } from '../rows.ts'
import { saveSubscription } from '../save.ts'

interface Assignment {
  id: string
  organizationId: string
}

/**
 * From a checkout to the organization that it made; the same again changes nothing. @throws {Problem} 404, 409
 * `already_subscribed`, `subscription_state` for one of another organization, 422
 */
export async function assignOwner(
  call: Call<unknown, Actor>,
  { id, organizationId }: Assignment,
): Promise<SubscriptionRow> {
  await findSubscription(call.db, id)
  const { exists } = await call.identity.organizationState(organizationId)
  if (!exists) throw invalid([{ path: 'organizationId', message: 'This organization doesn’t exist.' }])
  return inAuditedTransaction(call, async (tx) => {
    const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update')
    if (!row) throw new Error('The subscription is gone')
    if (row.ownerType === 'organization') {
      if (row.organizationId === organizationId) return row
      throw wrongState(row, 'This subscription is of another organization.')
    }
    const open = await findOpen(tx, {
      ownerType: 'organization',
      ownerId: organizationId,
      package: row.package,
    })
    if (open && row.status !== 'canceled')
      throw conflict('already_subscribed', 'This organization has a subscription already.', { subscriptionId: open.id })
    for (const table of [subscriptionChanges, subscriptionForwards, subscriptionInvoices, subscriptionNotices])
      await tx.update(table).set({ organizationId }).where(eq(table.subscriptionId, id))
    return saveSubscription(tx, call, row, { ownerType: 'organization', organizationId })
  })
}
