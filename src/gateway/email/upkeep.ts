import { and, asc, eq, inArray, isNull, lt } from 'drizzle-orm'
import type { JobDependencies } from '#lib/job.ts'
import { newId } from '#lib/ids.ts'
import { emailEvents, emailMessages, emailRecipients, senders } from '../schema.ts'
import { updateDeadLetterAction } from './dead-letter-action.ts'
import { settledFields, reportRecipient } from './outcome.ts'
import { resumeMessages } from './resume.ts'
import type { EmailWork } from './rows.ts'

/** Milliseconds that an email waits for its confirmation. */
const heldMs = 24 * 60 * 60_000
const batch = 500

/** Their outbox has sent them itself. */
export async function dropUnconfirmed({ database, now }: JobDependencies): Promise<void> {
  const at = now()
  const due = and(eq(emailMessages.state, 'held'), lt(emailMessages.createdAt, new Date(at.getTime() - heldMs)))
  for (;;) {
    const dropped = await database.transaction(async (tx) => {
      const rows = await tx
        .select({ id: emailMessages.id })
        .from(emailMessages)
        .where(due)
        .limit(batch)
        .for('update', { skipLocked: true })
      const ids = rows.map(({ id }) => id)
      if (ids.length === 0) return 0
      await tx
        .update(emailMessages)
        .set({ state: 'dropped', settledAt: at, sealedContent: null, nextAttemptAt: null })
        .where(inArray(emailMessages.id, ids))
      await tx
        .update(emailRecipients)
        .set({ state: 'dropped', settledAt: at })
        .where(inArray(emailRecipients.messageId, ids))
      await tx
        .insert(emailEvents)
        .values(ids.map((id) => ({ id: newId(), messageId: id, type: 'dropped' as const, at })))
      return ids.length
    })
    if (dropped < batch) return
  }
}

/** After a pause of a sender that many emails waited for. */
export async function resumeWaiting({ database, plan }: EmailWork): Promise<void> {
  const waiting = await database.db
    .selectDistinct({ id: emailMessages.senderId })
    .from(emailMessages)
    .leftJoin(senders, eq(senders.id, emailMessages.senderId))
    .where(
      and(
        eq(emailMessages.state, 'queued'),
        isNull(emailMessages.nextAttemptAt),
        isNull(emailMessages.leaseUntil),
        isNull(senders.pausedAt),
      ),
    )
    .orderBy(asc(emailMessages.senderId))
  for (const { id } of waiting) await database.transaction((tx) => resumeMessages(tx, plan, id))
}

/** For a job that was killed or lost the database too often. */
export async function failMessage(work: EmailWork, id: string): Promise<void> {
  const at = work.now()
  await work.database.transaction(async (tx) => {
    const [message] = await tx
      .select()
      .from(emailMessages)
      .where(and(eq(emailMessages.id, id), eq(emailMessages.state, 'queued')))
      .for('update')
    if (!message) return
    const open = and(eq(emailRecipients.messageId, id), inArray(emailRecipients.state, ['queued', 'deferred']))
    const response = 'It could not be sent because of an internal error.'
    const failed = await tx
      .update(emailRecipients)
      .set({ state: 'failed', response, settledAt: at })
      .where(open)
      .returning()
    await tx
      .update(emailMessages)
      .set({ ...settledFields(message, at), leaseUntil: null, leaseOwner: null })
      .where(eq(emailMessages.id, id))
    for (const { address } of failed)
      await reportRecipient(tx, work, { message, address, state: 'failed', response, at, suppresses: false })
    await updateDeadLetterAction(tx, message.organizationId)
  })
}
