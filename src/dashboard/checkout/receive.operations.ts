import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { emitSubscriptionUpdated } from '../billing/events.ts'
import { applySubscription } from './jobs.ts'
import { storeChange, storeEvent } from './store-change.ts'
import { ReceivedSubscriptionChange } from './subscription-change.ts'

export const receiveSubscriptionChange = operation({
  route: 'POST /api/internal/subscription-webhooks',
  summary: 'Record a change of a subscription',
  permission: 'service',
  callers: ['platform-pay'],
  input: ReceivedSubscriptionChange,
  output: z.object({ applied: z.boolean().describe('False when a later change was received before.') }),
  limit: null,
  run: async (call) => {
    const { db, input, now, queue } = call
    const at = now()
    const applied = await storeChange(db, input, at)
    await storeEvent(db, input, applied, at)
    if (applied) {
      await queue.enqueue(db, applySubscription, { subscriptionId: input.subscription.id })
      await emitSubscriptionUpdated(db, call, input)
    }
    return { applied }
  },
})
