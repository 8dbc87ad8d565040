import { and, asc, desc, eq, getTableColumns, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import { byId } from '#lib/paginate.ts'
import { statesOfStatus, type MailDetail, type MailLog, type MailStatus } from '../contract/email.ts'
import { countMails } from './log-counts.ts'
import { isAbout, isAmong, type LogFilter } from './log-filter.ts'
import { nameApps } from '../names.ts'
import { emailEvents, emailMessages, emailRecipients } from '../schema.ts'
import { getSender } from '../senders/senders.ts'
import { openContent } from './content.ts'
import { messageIdOf } from './message-id.ts'
import { statusFrom } from './status.ts'

type LogCall = Call<unknown, Actor>

export interface LogQuery extends LogFilter {
  limit: number
  cursor?: string | undefined
  status?: MailStatus | undefined
}

/** Of the organization, each recipient for itself, the newest first. @throws {Problem} 404 for an unknown sender */
export async function listMails(
  call: LogCall,
  { status, limit, cursor, ...filter }: LogQuery,
): Promise<z.input<typeof MailLog>> {
  const { db } = call
  if (filter.senderId !== undefined) await getSender(call, filter.senderId)
  const slice = byId(emailRecipients.id, 'desc').slice({ limit, ...(cursor !== undefined && { cursor }) })
  const organizationId = organizationOf(call.actor, 'usage:read')
  const [rows, counts] = await Promise.all([
    db
      .select({
        recipient: getTableColumns(emailRecipients),
        subject: emailMessages.subject,
        fromAddress: emailMessages.fromAddress,
        fromName: emailMessages.fromName,
        applicationId: emailMessages.applicationId,
      })
      .from(emailRecipients)
      .innerJoin(emailMessages, eq(emailMessages.id, emailRecipients.messageId))
      .where(
        and(
          isAmong(organizationId, filter),
          isAbout(filter),
          status === undefined ? undefined : inArray(emailRecipients.state, statesOfStatus[status]),
          slice.where,
        ),
      )
      .orderBy(...slice.order)
      .limit(slice.limit),
    countMails(db, organizationId, filter),
  ])
  const { items, nextCursor } = slice.pageBy(rows, ({ recipient }) => ({ id: recipient.id }))
  const apps = items.some(({ applicationId }) => applicationId !== null) ? await nameApps(call) : null
  return {
    items: items.map(({ recipient, applicationId, ...message }) => ({
      ...message,
      ...recipient,
      id: recipient.messageId,
      recipientId: recipient.id,
      recipient: recipient.address,
      applicationId,
      applicationName: (applicationId !== null && apps?.get(applicationId)) || null,
    })),
    nextCursor,
    counts,
  }
}

/** With what happened to it, the newest first. @throws {Problem} 404 */
export async function getMail(call: LogCall, id: string): Promise<z.input<typeof MailDetail>> {
  const { db, actor, identity, secrets } = call
  const [message] = await db
    .select()
    .from(emailMessages)
    .where(and(eq(emailMessages.id, id), eq(emailMessages.organizationId, organizationOf(actor, 'usage:read'))))
  if (!message) throw notFound('email')
  const [recipients, events, apps, serviceId] = await Promise.all([
    db.select().from(emailRecipients).where(eq(emailRecipients.messageId, id)).orderBy(asc(emailRecipients.id)),
    db
      .select()
      .from(emailEvents)
      .where(eq(emailEvents.messageId, id))
      .orderBy(desc(emailEvents.at), desc(emailEvents.id)),
    message.applicationId === null ? null : nameApps(call),
    identity.serviceId('platform-gateway'),
  ])
  const isAdmin = actor.bindings.length === 0 && isAllowed(actor, 'org:admin', serviceId)
  // Emails of the platform about its members contain links that sign them in.
  const seeContent = isAdmin && !message.system && message.sealedContent !== null
  const content = seeContent && message.sealedContent !== null ? openContent(secrets, id, message.sealedContent) : null
  const states = recipients.map(({ state }) => state)
  return {
    ...message,
    status: statusFrom(message.state, states),
    recipients,
    events: events.map((event) => ({ ...event, outcome: outcomeOf(event.outcome) })),
    attachments: [...message.attachments],
    applicationName: (message.applicationId !== null && apps?.get(message.applicationId)) || null,
    messageId: messageIdOf(message),
    text: content?.text ?? null,
    html: content?.html ?? null,
    can: { suppress: isAdmin, seeContent },
  }
}

const outcomes = ['sent', 'deferred', 'bounced', 'failed', 'unknown', 'interrupted'] as const

const outcomeOf = (text: string | null) => outcomes.find((known) => known === text) ?? null
