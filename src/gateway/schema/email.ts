import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, text, unique, uuid } from 'drizzle-orm/pg-core'
import type {
  AttachmentFacts,
  EmailEventType,
  MessageState,
  RecipientField,
  RecipientState,
} from '../contract/email.ts'
import { createdAt, gateway, id, nanoUsd, time } from './base.ts'

/**
 * Emails that were accepted (GTW-41). Those of the platform itself, such as sign-in links, have no organization.
 * `held`: accepted from an outbox that has not yet confirmed that it won't send it itself.
 */
export const emailMessages = gateway.table(
  'email_messages',
  {
    id: uuid().primaryKey(),
    organizationId: uuid(),
    applicationId: text(),
    apiKeyId: uuid(),
    userId: uuid(),
    /** The slug of the service that sent it. */
    service: text(),
    /** Sent regardless of budgets and suppressed addresses. */
    system: boolean().notNull(),
    /** Made with a test key: recorded, and not sent. */
    test: boolean().notNull().default(false),
    senderId: uuid().notNull(),
    fromAddress: text().notNull(),
    fromName: text().notNull(),
    replyTo: text(),
    subject: text().notNull(),
    template: text(),
    /** Texts, attachments and headers, as JSON; null once a system email needs no further attempt. */
    sealedContent: text(),
    attachments: jsonb().$type<readonly AttachmentFacts[]>().notNull(),
    /** HMAC of the request, so that a repeated ID with other content is refused. */
    fingerprint: text().notNull(),
    state: text().$type<MessageState>().notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: time(),
    /** While a server sends it, no other does. */
    leaseUntil: time(),
    leaseOwner: uuid(),
    provider: text().notNull(),
    providerMessageId: text(),
    costNanoUsd: nanoUsd().notNull(),
    createdAt: createdAt(),
    settledAt: time(),
  },
  (table) => [
    index('email_messages_organization').on(table.organizationId, table.id),
    index('email_messages_created').on(table.createdAt),
    index('email_messages_provider_id')
      .on(table.providerMessageId)
      .where(sql`provider_message_id IS NOT NULL`),
    // All organizations send from the platform’s sender.
    index('email_messages_open')
      .on(table.senderId, table.organizationId)
      .where(sql`state IN ('held', 'queued')`),
    check('email_messages_state', sql`${table.state} IN ('held', 'queued', 'settled', 'dropped')`),
    check('email_messages_settled', sql`(${table.settledAt} IS NULL) = (${table.state} IN ('held', 'queued'))`),
    check('email_messages_owner', sql`${table.system} OR ${table.organizationId} IS NOT NULL`),
    check(
      'email_messages_content',
      sql`${table.state} IN ('settled', 'dropped') OR ${table.sealedContent} IS NOT NULL`,
    ),
  ],
)

const messageId = () =>
  uuid()
    .notNull()
    .references(() => emailMessages.id, { onDelete: 'cascade' })

/** What became of a message, by address. */
export const emailRecipients = gateway.table(
  'email_recipients',
  {
    id: id(),
    messageId: messageId(),
    organizationId: uuid(),
    senderId: uuid().notNull(),
    address: text().notNull(),
    field: text().$type<RecipientField>().notNull(),
    state: text().$type<RecipientState>().notNull(),
    /** Of the mail server or provider. */
    response: text(),
    createdAt: createdAt(),
    settledAt: time(),
  },
  (table) => [
    unique('email_recipients_address').on(table.messageId, table.address),
    index('email_recipients_organization').on(table.organizationId, table.id),
    index('email_recipients_sender').on(table.organizationId, table.senderId, table.createdAt, table.state),
    index('email_recipients_state').on(table.organizationId, table.state, table.id),
    check(
      'email_recipients_state',
      sql`${table.state} IN ('queued', 'deferred', 'sent', 'delivered', 'bounced', 'complained', 'suppressed', 'failed', 'dropped')`,
    ),
    check('email_recipients_field', sql`${table.field} IN ('to', 'cc', 'bcc')`),
  ],
)

/**
 * The activity of a message. An `attempt` is stored before the server is called, its `dataAt` before any of the content
 * is sent, and its `endedAt` with the outcome: one with `dataAt` and without `endedAt` was interrupted, and it isn't
 * known whether the server accepted the message.
 */
export const emailEvents = gateway.table(
  'email_events',
  {
    id: id(),
    messageId: messageId(),
    address: text(),
    type: text().$type<EmailEventType>().notNull(),
    at: time().notNull(),
    dataAt: time(),
    endedAt: time(),
    outcome: text(),
    server: text(),
    /** The TLS version; null without encryption. */
    encryption: text(),
    response: text(),
  },
  (table) => [index('email_events_message').on(table.messageId, table.id)],
)

/** Addresses that an organization no longer sends to. */
export const emailSuppressions = gateway.table(
  'email_suppressions',
  {
    id: id(),
    organizationId: uuid().notNull(),
    /** In lowercase. */
    address: text().notNull(),
    reason: text().$type<'bounce' | 'complaint' | 'manual'>().notNull(),
    detail: text(),
    messageId: uuid(),
    createdBy: uuid(),
    createdAt: createdAt(),
  },
  (table) => [
    unique('email_suppressions_address').on(table.organizationId, table.address),
    check('email_suppressions_reason', sql`${table.reason} IN ('bounce', 'complaint', 'manual')`),
  ],
)

export const emailTemplates = gateway.table(
  'email_templates',
  {
    id: id(),
    organizationId: uuid().notNull(),
    name: text().notNull(),
    subject: text().notNull(),
    text: text(),
    html: text(),
    createdBy: uuid().notNull(),
    createdAt: createdAt(),
    updatedAt: time().notNull(),
  },
  (table) => [
    unique('email_templates_name').on(table.organizationId, table.name),
    check('email_templates_body', sql`${table.text} IS NOT NULL OR ${table.html} IS NOT NULL`),
  ],
)
