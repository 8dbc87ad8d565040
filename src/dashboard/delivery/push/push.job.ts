import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { job, type JobDependencies } from '#lib/job.ts'
import type { NotificationKind } from '#lib/notification-kind.ts'
import { notificationDeliveries, pushSubscriptions } from '../../schema.ts'
import { claimDue, postpone, resolvedBefore, settleDeliveries, type Claimed } from '../claim.ts'
import { channelsOf, kindOf } from '../kinds.ts'
import { countDelivery } from '../metrics.ts'
import { findRecipient, type Recipient } from '../recipient.ts'
import { delayAfter } from '../retry.ts'
import { endedOf } from './ended.ts'
import { readPushKeys } from './keys.ts'
import { messagesOf, type Message } from './payload.ts'
import { sendMessage, type PushOutcome } from './send.ts'
import { openSubscription, type SubscriptionRow } from './subscriptions.ts'

const maxClaimed = 50
/** Longer than three messages and the look-ups before them take. */
const leaseSeconds = 60

/** What is due for a browser. A server that is killed while it sends sends again: the tag replaces the first message. */
export const sendPush = job({
  name: 'dashboard.push-notifications',
  input: z.object({ subscriptionId: Id, personId: Id }),
  concurrency: 10,
  // One with many browsers that hang leaves room for others.
  perTenant: { of: ({ personId }) => personId, concurrency: 2 },
  uniqueBy: ({ subscriptionId }) => subscriptionId,
  run: async (call) => {
    const { db } = call.database
    const targetId = call.input.subscriptionId
    const [subscription] = await db.select().from(pushSubscriptions).where(eq(pushSubscriptions.id, targetId))
    if (!subscription) return dropAll(call, targetId)
    if ((await endedOf(call, [subscription])).length > 0) return deleteBrowser(call, targetId)
    const claimed = await claimDue(db, { channel: 'push', targetId, at: call.now(), limit: maxClaimed, leaseSeconds })
    const open = await dropObsolete(call, subscription, claimed)
    for (const message of messagesOf(open)) if (!(await sendOne(call, subscription, message))) return
    if (claimed.length === maxClaimed) await call.queue.enqueue(db, sendPush, call.input)
  },
})

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

/** What was resolved, can’t be seen or isn’t wanted any more. Returns the rest. */
async function dropObsolete(
  call: JobDependencies,
  { personId }: SubscriptionRow,
  claimed: Claimed[],
): Promise<Claimed[]> {
  const { database, notificationKinds, now } = call
  const organizations = Map.groupBy(claimed, ({ notification }) => notification.organizationId)
  const wanted = new Set<Claimed>()
  for (const [organizationId, all] of organizations) {
    const ids = all.map(({ notification }) => notification.id)
    const recipient = await findRecipient(call, { organizationId, personId }, ids)
    for (const one of all) if (recipient && isPushed(notificationKinds, recipient, one)) wanted.add(one)
  }
  const resolved = claimed.filter(({ notification }) => notification.resolvedAt !== null)
  const unwanted = claimed.filter((one) => !resolved.includes(one) && !wanted.has(one))
  await settleDeliveries(database.db, idsOf(resolved), { state: 'dropped', problem: resolvedBefore }, now())
  const problem = 'The person can’t see it, or turned push messages off.'
  await settleDeliveries(database.db, idsOf(unwanted), { state: 'dropped', problem }, now())
  return claimed.filter((one) => wanted.has(one))
}

function isPushed(
  kinds: readonly NotificationKind[],
  { visible, preferences }: Recipient,
  { notification: { id, kind: name, resolvedAt } }: Claimed,
): boolean {
  const kind = kindOf(kinds, name)
  return (
    resolvedAt === null && visible.has(id) && preferences.push && channelsOf(kind, preferences.choices[kind.name]).push
  )
}

/** False when nothing more can be sent there now. */
async function sendOne(call: JobDependencies, subscription: SubscriptionRow, message: Message): Promise<boolean> {
  const { db } = call.database
  const urgent = message.deliveries.some(
    ({ notification }) => kindOf(call.notificationKinds, notification.kind).urgent ?? false,
  )
  const keys = await readPushKeys(db, call)
  const outcome = await sendMessage(call, openSubscription(call, subscription), keys, { ...message, urgent })
  return settle(call, subscription, message, outcome)
}

async function settle(
  call: JobDependencies,
  { id: targetId }: SubscriptionRow,
  { deliveries }: Message,
  outcome: PushOutcome,
): Promise<boolean> {
  const { db } = call.database
  const at = call.now()
  const ids = idsOf(deliveries)
  if (outcome.state === 'sent') {
    await settleDeliveries(db, ids, { state: 'sent' }, at)
    await db.update(pushSubscriptions).set({ lastSentAt: at }).where(eq(pushSubscriptions.id, targetId))
    countDelivery('push', 'sent', ids.length)
    return true
  }
  if (outcome.state === 'gone') {
    await deleteBrowser(call, targetId)
    return false
  }
  const delay = outcome.state === 'later' ? delayAfter(Math.max(...deliveries.map(({ attempts }) => attempts))) : null
  if (outcome.state === 'refused' || delay === null) {
    await settleDeliveries(db, ids, { state: 'failed', problem: outcome.problem }, at)
    countDelivery('push', 'failed', ids.length)
    return outcome.state === 'refused'
  }
  const until = new Date(at.getTime() + 1000 * (outcome.seconds ?? delay))
  await postpone(db, { channel: 'push', targetId }, { until, problem: outcome.problem })
  countDelivery('push', 'retried', ids.length)
  return false
}

async function deleteBrowser(call: JobDependencies, targetId: string): Promise<void> {
  await call.database.db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, targetId))
  await dropAll(call, targetId)
}

async function dropAll({ database: { db }, now }: JobDependencies, targetId: string): Promise<void> {
  const waiting = await db
    .select({ id: notificationDeliveries.id })
    .from(notificationDeliveries)
    .where(
      and(
        eq(notificationDeliveries.channel, 'push'),
        eq(notificationDeliveries.targetId, targetId),
        eq(notificationDeliveries.state, 'waiting'),
      ),
    )
  const problem = 'The browser no longer takes push messages.'
  await settleDeliveries(db, idsOf(waiting), { state: 'dropped', problem }, now())
}
