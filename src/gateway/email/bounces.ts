import { and, count, eq, gte, inArray, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { emitWebhook } from '#lib/outgoing-webhooks/emit.ts'
import { raiseAction } from '#lib/raised-actions.ts'
import { senderKind } from '../notification-kinds.ts'
import { emailRecipients, senders } from '../schema.ts'
import { senderPaused } from '../senders/events.ts'
import { pauseCause } from '../senders/pause-cause.ts'
import type { EmailWork, MessageRow } from './rows.ts'

const bounceWindowMs = 24 * 60 * 60_000
const minForPause = 50
const maxBounceRate = 0.05

interface Sent {
  organizationId: string
  senderId: string
  since: Date
}

export function selectBounced(db: Database, { organizationId, senderId, since }: Sent) {
  const { state, createdAt } = emailRecipients
  return db
    .select({
      sent: count(),
      bounced: sql<number>`count(*) FILTER (WHERE ${inArray(state, ['bounced', 'complained'])})::int`,
    })
    .from(emailRecipients)
    .where(
      and(
        eq(emailRecipients.organizationId, organizationId),
        eq(emailRecipients.senderId, senderId),
        gte(createdAt, since),
        inArray(state, ['sent', 'delivered', 'bounced', 'complained']),
      ),
    )
}

/** More bounces would cost the domain its reputation. */
export async function pauseIfBouncing(
  tx: Database,
  work: Pick<EmailWork, 'queue' | 'events' | 'now'>,
  { senderId, organizationId }: Pick<MessageRow, 'senderId' | 'organizationId'>,
): Promise<void> {
  if (organizationId === null) return
  const [sender] = await tx
    .select()
    .from(senders)
    .where(and(eq(senders.id, senderId), eq(senders.organizationId, organizationId)))
    .for('no key update')
  if (!sender || sender.pausedAt) return
  const at = work.now()
  const since = new Date(Math.max(at.getTime() - bounceWindowMs, sender.resumedAt?.getTime() ?? 0))
  const [numbers] = await selectBounced(tx, { organizationId, senderId, since })
  if (!numbers || numbers.sent < minForPause || numbers.bounced <= numbers.sent * maxBounceRate) return
  const reason = `More than 5% of its emails bounced: ${numbers.bounced} of ${numbers.sent}.`
  await tx.update(senders).set({ pausedAt: at, pausedReason: reason }).where(eq(senders.id, senderId))
  await raiseAction(tx, {
    kind: senderKind,
    organizationId,
    cause: pauseCause(senderId),
    href: '/gateway/senders',
    actions: [
      {
        label: 'Resume the sender',
        method: 'PATCH',
        href: `/api/senders/${senderId}`,
        body: { paused: false },
        style: 'primary',
        confirm: 'Emails that wait are sent at once. More bounces pause it again.',
      },
      { label: 'See the bounces', method: 'GET', href: '/gateway/mail/suppressed' },
    ],
    title: `${sender.address} is paused`,
    reason: `${reason} Remove addresses that don’t exist from your list, then resume the sender.`,
  })
  const data = { id: senderId, address: sender.address, ...numbers }
  await emitWebhook(tx, work, { organizationId, event: senderPaused, data })
}
