import { and, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { byId } from '#lib/paginate.ts'
import type { DeadLetterList } from '../contract/email.ts'
import { emailMessages, emailRecipients as table } from '../schema.ts'
import { canManage } from '../senders/domains.ts'
import { updateDeadLetterAction } from './dead-letter-action.ts'
import { planWith } from './jobs.ts'
import { findSuppressed } from './suppressions.ts'

type LetterCall = Call<{ id: string }, Actor>

const isDead = eq(table.state, 'failed')

/** Recipients that an email didn’t reach in all its attempts, the newest first. */
export async function listDeadLetters(
  call: Call<{ limit: number; cursor?: string }, Actor>,
): Promise<z.input<typeof DeadLetterList>> {
  const { db, actor, input } = call
  const slice = byId(table.id, 'desc').slice(input)
  const isOwn = and(eq(table.organizationId, organizationOf(actor, 'usage:read')), isDead)
  const [rows, count, update] = await Promise.all([
    db
      .select({ recipient: table, message: emailMessages })
      .from(table)
      .innerJoin(emailMessages, eq(emailMessages.id, table.messageId))
      .where(and(isOwn, slice.where))
      .orderBy(desc(table.id))
      .limit(slice.limit),
    db.$count(table, isOwn),
    canManage(call),
  ])
  const page = slice.pageBy(rows, ({ recipient }) => ({ id: recipient.id }))
  const items = page.items.map(({ recipient, message }) => ({
    id: recipient.id,
    mailId: message.id,
    subject: message.subject,
    recipient: recipient.address,
    fromAddress: message.fromAddress,
    error: recipient.response,
    attempts: message.attempts,
    failedAt: recipient.settledAt,
    can: {
      retry: update && message.sealedContent !== null && message.state === 'settled',
      discard: update,
    },
  }))
  return { items, nextCursor: page.nextCursor, count }
}

/** Locked, so that of two requests the second one doesn’t find it. @throws {Problem} 404 */
async function lockLetter(db: Database, actor: Actor, id: string) {
  const [row] = await db
    .select({ recipient: table, message: emailMessages })
    .from(table)
    .innerJoin(emailMessages, eq(emailMessages.id, table.messageId))
    .where(and(eq(table.id, id), eq(table.organizationId, organizationOf(actor, 'org:admin')), isDead))
    .for('update')
  if (!row) throw notFound('dead letter')
  return row
}

/** @throws {Problem} 404, 409 without its content, for a suppressed address, or while other recipients of the email are waiting */
export async function retryLetter({ db, actor, input, now, queue }: LetterCall): Promise<void> {
  const { recipient, message } = await lockLetter(db, actor, input.id)
  if (message.sealedContent === null) throw conflict('content_deleted', 'The content of this email was deleted.')
  if (message.state !== 'settled')
    throw conflict('email_in_progress', 'Other recipients of this email are still waiting. Retry when they are done.')
  const owner = organizationOf(actor, 'org:admin')
  if (!message.system && (await findSuppressed(db, owner, [recipient.address])).size > 0)
    throw conflict('address_suppressed', `${recipient.address} is suppressed. Allow sending to it first.`)
  await db.update(table).set({ state: 'queued', response: null, settledAt: null }).where(eq(table.id, recipient.id))
  await db
    .update(emailMessages)
    .set({ state: 'queued', attempts: 0, nextAttemptAt: now(), settledAt: null })
    .where(eq(emailMessages.id, message.id))
  await planWith(queue)(db, message)
  const address = recipient.address
  recordChange(db, {
    object: 'email',
    id: message.id,
    before: { address, state: 'failed' },
    after: { address, state: 'queued' },
  })
  await updateDeadLetterAction(db, owner)
}

/** @throws {Problem} 404 */
export async function discardLetter({ db, actor, input }: LetterCall): Promise<void> {
  const { recipient, message } = await lockLetter(db, actor, input.id)
  await db.update(table).set({ state: 'dropped' }).where(eq(table.id, recipient.id))
  const address = recipient.address
  recordChange(db, {
    object: 'email',
    id: message.id,
    before: { address, state: 'failed' },
    after: { address, state: 'dropped' },
  })
  await updateDeadLetterAction(db, recipient.organizationId)
}
