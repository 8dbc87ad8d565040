import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import {
  SubscriptionForward,
  SubscriptionForwardFilter,
  SubscriptionForwardList,
} from '../../contract/subscriptions.ts'
import { listForwards, replayForward } from './list.ts'

export const listSubscriptionForwards = operation({
  route: 'GET /api/pay/subscription-webhooks',
  summary: 'List changes sent to the dashboard',
  permission: 'payments:read',
  input: SubscriptionForwardFilter,
  output: SubscriptionForwardList,
  run: (call) => listForwards(call, call.input),
})

export const replaySubscriptionForward = operation({
  route: 'POST /api/pay/subscription-webhooks/:id/replay',
  summary: 'Send a change to the dashboard again',
  permission: 'settings:write',
  input: z.object({ id: Id }),
  output: SubscriptionForward,
  answers: { 202: SubscriptionForward },
  run: async (call) => reply(202, await replayForward(call, call.input.id), { toast: 'Change queued' }),
})
