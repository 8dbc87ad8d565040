import type { PaymentsWork } from '../../work.ts'
import type { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { SubscriptionWebhook } from '../../contract/subscriptions.ts'
import { subscriptionForwards } from '../../schema.ts'
import type { SubscriptionRow } from '../rows.ts'
import { forwardChanges } from './deliver.ts'

/** On the transaction of the change, which has counted its sequence. */
export async function addForward(
  tx: Database,
  { dashboard, queue, now }: PaymentsWork,
  { id: subscriptionId, organizationId, ownerType, lastSequence: sequence }: SubscriptionRow,
  { type, subscription }: Pick<z.input<typeof SubscriptionWebhook>, 'type' | 'subscription'>,
): Promise<void> {
  const id = newId()
  const at = now()
  const body = JSON.stringify(
    SubscriptionWebhook.parse({ id, type, sequence, ownerType, ownerId: organizationId, subscription }),
  )
  await tx
    .insert(subscriptionForwards)
    .values({ id, organizationId, subscriptionId, sequence, type, body, nextAttemptAt: at, createdAt: at })
  if (dashboard) await queue.enqueue(tx, forwardChanges, { subscriptionId })
}
