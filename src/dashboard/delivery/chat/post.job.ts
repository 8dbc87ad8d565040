import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { auditedJobTransaction, recordChange } from '#lib/audit.ts'
import { Id } from '#lib/ids.ts'
import { job, type JobDependencies } from '#lib/job.ts'
import { resolveAction } from '#lib/raised-actions.ts'
import { chatWebhooks } from '../../schema.ts'
import { claimDue, postpone, resolvedBefore, settleDeliveries, type Claimed } from '../claim.ts'
import { countDelivery } from '../metrics.ts'
import { chatCause, raiseChatPaused } from './failing.ts'
import { itemOf, maxItems } from './format.ts'
import { sendToChat, type ChatOutcome } from './send.ts'
import type { ChatRow } from './row.ts'
import { openUrl, settleWaiting } from './webhook.ts'

/** Failed attempts in a row after which it is paused, and seconds between them: about an hour in all. */
const maxFailures = 8
const delays = [30, 60, 2 * 60, 5 * 60, 10 * 60, 15 * 60, 30 * 60]
const limitedSeconds = 60
const leaseSeconds = 60

/** What is due for the chat of an organization, in one message. A server that is killed while it posts posts it again. */
export const postToChat = job({
  name: 'dashboard.post-notifications-to-chat',
  input: z.object({ organizationId: Id, webhookId: Id }),
  concurrency: 6,
  uniqueBy: ({ webhookId }) => webhookId,
  run: async (call) => {
    const { organizationId, webhookId: targetId } = call.input
    const { db } = call.database
    const [webhook] = await db.select().from(chatWebhooks).where(eq(chatWebhooks.id, targetId))
    if (!webhook?.enabled) {
      const problem = webhook ? 'The chat is turned off.' : 'The chat was disconnected.'
      return settleWaiting(db, targetId, { state: 'dropped', problem }, call.now())
    }
    if (await call.identity.isSuspended(organizationId)) return
    const claimed = await claimDue(db, { channel: 'chat', targetId, at: call.now(), limit: maxItems, leaseSeconds })
    const open = claimed.filter(({ notification }) => notification.resolvedAt === null)
    const resolved = claimed.filter((one) => !open.includes(one))
    await settleDeliveries(db, idsOf(resolved), { state: 'dropped', problem: resolvedBefore }, call.now())
    if (open.length > 0) {
      const items = open.map(({ notification }) => itemOf(call.config, notification))
      await settle(call, webhook, open, await sendToChat(call, openUrl(call, webhook), items, call.now()))
    }
    if (claimed.length === maxItems) await call.queue.enqueue(db, postToChat, call.input)
  },
})

const idsOf = (claimed: readonly Claimed[]): string[] => claimed.map(({ id }) => id)

async function settle(call: JobDependencies, webhook: ChatRow, sent: Claimed[], outcome: ChatOutcome): Promise<void> {
  const at = call.now()
  const place = { channel: 'chat' as const, targetId: webhook.id }
  if (outcome.state === 'sent') {
    await call.database.transaction(async (tx) => {
      await settleDeliveries(tx, idsOf(sent), { state: 'sent' }, at)
      const works = { failures: 0, failingSince: null, problem: null, lastDeliveredAt: at }
      await tx.update(chatWebhooks).set(works).where(eq(chatWebhooks.id, webhook.id))
      if (webhook.failures > 0) await resolveAction(tx, chatCause(webhook.id))
    })
    countDelivery('chat', 'sent', sent.length)
    return
  }
  const { problem } = outcome
  if (outcome.state === 'limited') {
    const until = new Date(at.getTime() + 1000 * (outcome.seconds ?? limitedSeconds))
    return postpone(call.database.db, place, { until, problem })
  }
  const failures = webhook.failures + 1
  if (outcome.state === 'gone' || failures >= maxFailures) {
    countDelivery('chat', 'failed', sent.length)
    return pause(call, { ...webhook, failures }, problem)
  }
  countDelivery('chat', 'retried', sent.length)
  await call.database.transaction(async (tx) => {
    await tx
      .update(chatWebhooks)
      .set({ failures, problem, failingSince: webhook.failingSince ?? at })
      .where(isSame(webhook))
    const until = new Date(at.getTime() + 1000 * (delays[failures - 1] ?? limitedSeconds))
    await postpone(tx, place, { until, problem })
  })
}

/** A person may have changed it meanwhile. */
const isSame = ({ id, version }: ChatRow) => and(eq(chatWebhooks.id, id), eq(chatWebhooks.version, version))

const pause = (call: JobDependencies, webhook: ChatRow, problem: string): Promise<void> =>
  auditedJobTransaction(
    call.database,
    { operation: 'dashboard.post-notifications-to-chat', now: call.now },
    async (tx) => {
      const { id, organizationId, failures, failingSince, hint, version } = webhook
      const at = call.now()
      const [paused] = await tx
        .update(chatWebhooks)
        .set({
          enabled: false,
          failures,
          problem,
          failingSince: failingSince ?? at,
          version: version + 1,
          updatedAt: at,
        })
        .where(isSame(webhook))
        .returning()
      if (!paused) return
      await settleWaiting(tx, id, { state: 'failed', problem }, at)
      recordChange(tx, {
        object: 'chat_webhook',
        id,
        before: { url: hint, enabled: true },
        after: { url: hint, enabled: false },
        organizationId,
      })
      await raiseChatPaused(tx, paused, problem)
    },
  )
