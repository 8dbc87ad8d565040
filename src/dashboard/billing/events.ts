import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { emitWebhook, type EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { webhookEvent } from '#lib/outgoing-webhooks/event.ts'
import { ReceivedSubscription, type ReceivedSubscriptionChange } from '../checkout/subscription-change.ts'

const subscriptionUpdated = webhookEvent({
  type: 'subscription.updated',
  summary: 'Your plan with Atrium began, changed or ended',
  permission: 'settings:read',
  data: ReceivedSubscription.pick({
    id: true,
    package: true,
    seats: true,
    status: true,
    access: true,
    currentPeriodEndsAt: true,
    cancelAtPeriodEnd: true,
    endedAt: true,
  }),
})

const seatsMismatch = webhookEvent({
  type: 'seats.mismatch',
  summary: 'More seats are in use than paid',
  permission: 'settings:read',
  data: z.object({ used: z.int(), paid: z.int() }),
})

export const billingEvents = [subscriptionUpdated, seatsMismatch]

/** On the transaction that stores the change. None of a checkout, whose organization doesn’t exist yet. */
export async function emitSubscriptionUpdated(
  tx: Database,
  emitting: EmitDependencies,
  { ownerType, ownerId, subscription }: Pick<ReceivedSubscriptionChange, 'ownerType' | 'ownerId' | 'subscription'>,
): Promise<void> {
  if (ownerType !== 'organization') return
  await emitWebhook(tx, emitting, { organizationId: ownerId, event: subscriptionUpdated, data: subscription })
}

interface Mismatch {
  organizationId: string
  used: number
  paid: number
}

export const emitSeatsMismatch = (
  tx: Database,
  emitting: EmitDependencies,
  { organizationId, used, paid }: Mismatch,
): Promise<void> => emitWebhook(tx, emitting, { organizationId, event: seatsMismatch, data: { used, paid } })
