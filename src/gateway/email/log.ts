import { and, asc, desc, eq, getTableColumns, gte, ilike, inArray, lt, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { containsPattern } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { byId } from '#lib/paginate.ts'
import { statesOfStatus, type MailDetail, type MailLog, type MailStatus } from '../contract/email.ts'
import { nameApps } from '../names.ts'
import { emailEvents, emailMessages, emailRecipients } from '../schema.ts'
import { getSender } from '../senders/senders.ts'
import { openContent } from './content.ts'
import { messageIdOf } from './message-id.ts'
import { statusFrom } from './status.ts'

type LogCall = Call<unknown, Actor>

export interface LogQuery {
  limit: number
  cursor?: string | undefined
  status?: MailStatus | undefined
  q?: string | undefined
  senderId?: string | undefined
  applicationId?: string | undefined
  from?: Date | undefined
  until?: Date | undefined
}

/** Of the organization, each recipient for itself, the newest first. @throws {Problem} 404 for an unknown sender */
export async function listMails(
  call: LogCall,
  { status, limit, cursor, ...filter }: LogQuery,
): Promise<z.input<typeof MailLog>> {
  const { db } = call
  if (filter.senderId !== undefined) await getSender(call, filter.senderId)
  const slice = byId(emailRecipients.id, 'desc').slice({ limit, ...(cursor !== undefined && { cursor }) })
  const matching = conditionOf(call.actor, filter)
  const [rows, counted] = await Promise.all([
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
          matching,
          status === undefined ? undefined : inArray(emailRecipients.state, statesOfStatus[status]),
          slice.where,
        ),
      )
      .orderBy(...slice.order)
      .limit(slice.limit),
    db
      .select({ state: emailRecipients.state, count: sql<number>`count(*)::int` })
      .from(emailRecipients)
      .innerJoin(emailMessages, eq(emailMessages.id, emailRecipients.messageId))
      .where(matching)
      .groupBy(emailRecipients.state),
  ])
  const { items, nextCursor } = slice.pageBy(rows, ({ recipient }) => ({ id: recipient.id }))
  const apps = items.some(({ applicationId }) => applicationId !== null) ? await nameApps(call) : null
  const countOf = (states: readonly string[]) =>
    counted.reduce((sum, { state, count }) => (states.includes(state) ? sum + count : sum), 0)
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
    counts: {
      all: countOf(counted.map(({ state }) => state)),
      delivered: countOf(statesOfStatus.delivered),
      queued: countOf(statesOfStatus.queued),
      bounced: countOf(statesOfStatus.bounced),
      suppressed: countOf(statesOfStatus.suppressed),
    },
  }
}

function conditionOf(
  actor: Actor,
  { q, senderId, applicationId, from, until }: Omit<LogQuery, 'status' | 'limit' | 'cursor'>,
) {
  const words = q === undefined || q === '' ? null : containsPattern(q)
  return and(
    eq(emailRecipients.organizationId, organizationOf(actor, 'usage:read')),
    words === null ? undefined : or(ilike(emailMessages.subject, words), ilike(emailRecipients.address, words)),
    senderId === undefined ? undefined : eq(emailRecipients.senderId, senderId),
    applicationId === undefined ? undefined : eq(emailMessages.applicationId, applicationId),
    from && gte(emailRecipients.createdAt, from),
    until && lt(emailRecipients.createdAt, until),
  )
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
