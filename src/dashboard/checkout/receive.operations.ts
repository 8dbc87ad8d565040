import { z } from 'zod'
import { operation } from '#lib/operation.ts'
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
  run: async ({ db, input, now, queue }) => {
    const at = now()
    const applied = await storeChange(db, input, at)
    await storeEvent(db, input, applied, at)
    if (applied) await queue.enqueue(db, applySubscription, { subscriptionId: input.subscription.id })
    return { applied }
  },
})
