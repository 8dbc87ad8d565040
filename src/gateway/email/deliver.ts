import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { newId } from '#lib/ids.ts'
import { logFault } from '#lib/log/fault.ts'
import { emailMessages, emailRecipients } from '../schema.ts'
import { findOwned, type OwnedSender } from '../senders/senders.ts'
import { attemptDelivery, beginAttempt } from './attempt.ts'
import { reportRecipient, settledFields, storeOutcome, type Outcome } from './outcome.ts'
import type { EmailWork, MessageRow, RecipientRow } from './rows.ts'
import { findSuppressed, suppressedResponse } from './suppressions.ts'

/** Longer than an attempt, so that no other server begins before it has ended. */
const leaseSeconds = 180
/** How often storing an outcome is tried again: if it isn't stored, the email would be sent again. */
const outcomeAttempts = 20
const outcomePauseMs = 1_000

/** One attempt to send an email. It plans the next one itself; it only throws when the database is away. */
export async function deliver(work: EmailWork, id: string): Promise<void> {
  const { db } = work.database
  const message = await lease(work, id)
  if (!message) return
  const owned = await findSender(work, message)
  if (owned?.sender.pausedAt) return release(work, message)
  const open = await db
    .select()
    .from(emailRecipients)
    .where(and(eq(emailRecipients.messageId, id), inArray(emailRecipients.state, ['queued', 'deferred'])))
    .orderBy(asc(emailRecipients.id))
  const recipients = await withoutSuppressed(work, message, open)
  if (recipients.length === 0) return
  const attempt = await beginAttempt(work, message)
  const outcome = await attemptDelivery(work, { message, recipients, owned, attempt })
  await persist(work, { message, recipients, attempt, ...outcome })
}

/** Null for one that is sent, waits for its sender, or is being sent by another server. */
async function lease({ database, plan }: EmailWork, id: string): Promise<MessageRow | null> {
  const { db } = database
  const until = sql`now() + ${leaseSeconds} * interval '1 second'`
  const [row] = await db
    .update(emailMessages)
    .set({ leaseUntil: until, leaseOwner: newId(), attempts: sql`${emailMessages.attempts} + 1` })
    .where(
      and(
        eq(emailMessages.id, id),
        eq(emailMessages.state, 'queued'),
        sql`(${emailMessages.leaseUntil} IS NULL OR ${emailMessages.leaseUntil} < now())`,
      ),
    )
    .returning()
  if (row) return row
  const [busy] = await db
    .select()
    .from(emailMessages)
    .where(and(eq(emailMessages.id, id), eq(emailMessages.state, 'queued')))
  // The server that sends it can have been killed.
  if (busy?.leaseUntil) await plan(db, busy, busy.leaseUntil)
  return null
}

const released = { leaseUntil: null, leaseOwner: null } as const

/** Until the sender is resumed. */
async function release({ database: { db } }: EmailWork, { id, attempts }: MessageRow): Promise<void> {
  await db
    .update(emailMessages)
    .set({ ...released, nextAttemptAt: null, attempts: attempts - 1 })
    .where(eq(emailMessages.id, id))
}

/** Those that can get it now. Of an email without any, nothing is left to send. */
async function withoutSuppressed(
  work: EmailWork,
  message: MessageRow,
  open: readonly RecipientRow[],
): Promise<readonly RecipientRow[]> {
  const { database, now } = work
  const { id, organizationId, system, leaseOwner } = message
  const addresses = open.map(({ address }) => address)
  const found =
    organizationId === null || system ? new Set<string>() : await findSuppressed(database.db, organizationId, addresses)
  const left = open.filter(({ address }) => !found.has(address))
  if (left.length > 0 && found.size === 0) return left
  const at = now()
  const mine = and(eq(emailMessages.id, id), eq(emailMessages.leaseOwner, leaseOwner ?? ''))
  await database.transaction(async (tx) => {
    const [held] = await tx.select({ id: emailMessages.id }).from(emailMessages).where(mine).for('update')
    if (!held) return
    const stopped = { state: 'suppressed', response: suppressedResponse } as const
    for (const { id: recipientId, address } of open.filter((each) => found.has(each.address))) {
      await tx
        .update(emailRecipients)
        .set({ ...stopped, settledAt: at })
        .where(eq(emailRecipients.id, recipientId))
      await reportRecipient(tx, work, { message, address, ...stopped, at, suppresses: false })
    }
    if (left.length === 0)
      await tx
        .update(emailMessages)
        .set({ ...settledFields(message, at), ...released })
        .where(mine)
  })
  return left
}

/** Null for the platform’s. */
async function findSender({ database: { db } }: EmailWork, message: MessageRow): Promise<OwnedSender | null> {
  return message.organizationId === null ? null : findOwned(db, message.organizationId, message.senderId)
}

/** Without it the email would be sent again, so a database that is away for a few seconds is waited for. */
async function persist(work: EmailWork, outcome: Outcome): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work.database.transaction((tx) => storeOutcome(tx, work, outcome))
    } catch (error) {
      if (attempt >= outcomeAttempts) throw error
      logFault(work.log, 'storing the outcome of an email', error, { message: outcome.message.id })
      await Bun.sleep(outcomePauseMs)
    }
  }
}
