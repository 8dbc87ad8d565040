import { and, asc, eq, or } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { conflict, notFound } from '#lib/errors.ts'
import type { EmailMessage, EmailReceipt } from '../contract/email.ts'
import type { z } from 'zod'
import { emailMessages, emailRecipients } from '../schema.ts'
import { planWith } from './jobs.ts'
import { statusFrom, statusOf } from './status.ts'

type MessageCall = Pick<Call<unknown, Actor>, 'db' | 'actor'>

/** Services see those that they sent themselves, and those of the platform. @throws {Problem} 404 */
export async function getMessage({ db, actor }: MessageCall, id: string): Promise<z.input<typeof EmailMessage>> {
  const mine =
    actor.tokenType === 'service'
      ? or(eq(emailMessages.service, actor.service ?? ''), eq(emailMessages.system, true))
      : eq(emailMessages.organizationId, organizationOf(actor, 'usage:read'))
  const [row] = await db
    .select()
    .from(emailMessages)
    .where(and(eq(emailMessages.id, id), mine))
  if (!row) throw notFound('email')
  const recipients = await db
    .select()
    .from(emailRecipients)
    .where(eq(emailRecipients.messageId, id))
    .orderBy(asc(emailRecipients.id))
  const states = recipients.map(({ state }) => state)
  const { state, createdAt, settledAt } = row
  return { id, status: statusFrom(state, states), recipients, createdAt, settledAt }
}

/** From now on the outbox of that service doesn’t send it. @throws {Problem} 404, 409 `email_dropped` after 24 hours */
export async function confirmEmail(
  { db, actor, queue, now }: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'queue' | 'now'>,
  id: string,
): Promise<EmailReceipt> {
  const [row] = await db.select().from(emailMessages).where(eq(emailMessages.id, id)).for('update')
  if (!row?.service || row.service !== actor.service) throw notFound('email')
  if (row.state === 'dropped')
    throw conflict(
      'email_dropped',
      'This email was dropped, since it wasn’t confirmed within 24 hours. Send it in another way.',
    )
  if (row.state !== 'held') return { id, status: await statusOf(db, row) }
  await db.update(emailMessages).set({ state: 'queued', nextAttemptAt: now() }).where(eq(emailMessages.id, id))
  await planWith(queue)(db, row)
  return { id, status: 'queued' }
}
