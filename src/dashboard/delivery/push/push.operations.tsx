import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { Browsers } from '#views/dashboard/notifications/browsers.tsx'
import { PushSubscriptionDraft, PushSubscriptionList } from './contract.ts'
import { readPushKeys } from './keys.ts'
import * as subscriptions from './subscriptions.ts'

async function listAll(call: Call<unknown, Actor>) {
  const [items, { publicKey }] = await Promise.all([subscriptions.listSubscriptions(call), readPushKeys(call.db, call)])
  return { items, nextCursor: null, publicKey }
}

export const listPushSubscriptions = operation({
  route: 'GET /api/push-browsers',
  summary: 'List the browsers that get push messages',
  permission: 'signed-in',
  personal: false,
  input: z.object({}),
  output: PushSubscriptionList,
  run: listAll,
  view: (list) => <Browsers list={list} />,
})

export const createPushSubscription = operation({
  route: 'POST /api/push-browsers',
  summary: 'Create a push subscription of a browser',
  permission: 'signed-in',
  personal: false,
  creates: true,
  transaction: false, // The response asks identity.
  input: PushSubscriptionDraft,
  output: PushSubscriptionList,
  problems: { too_many_push_subscriptions: 409 },
  run: async (call) => {
    await auditedTransaction(call, (db) => subscriptions.addSubscription({ ...call, db }, call.input))
    return reply(201, await listAll(call), { next: '/settings/notifications' })
  },
  view: (list) => <Browsers list={list} />,
})

export const deletePushSubscription = operation({
  route: 'DELETE /api/push-browsers/:id',
  summary: 'Delete a push subscription of a browser',
  permission: 'signed-in',
  personal: false,
  transaction: false,
  input: z.object({ id: Id }),
  output: PushSubscriptionList,
  run: async (call) => {
    await auditedTransaction(call, (db) => subscriptions.deleteSubscription({ ...call, db }, call.input.id))
    return reply(200, await listAll(call), { next: '/settings/notifications', toast: 'Removed' })
  },
  view: (list) => <Browsers list={list} />,
})
