import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  json,
  jsonb,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { ReplyOptions } from './reply.ts'

export const platform = pgSchema('platform')

const instant = () => timestamp({ precision: 3, withTimezone: true, mode: 'date' })

export type Fields = Record<string, unknown>

/** Who did what, from where (PLT-24). Triggers refuse updates, except those that erase `before` and `after` of a tenant. */
export const auditLog = platform.table(
  'audit_log',
  {
    id: uuid().primaryKey(),
    at: instant().notNull(),
    /** The organization whose log it belongs to; null outside of any. */
    organizationId: uuid(),
    /** Null for requests without a credential. */
    principalId: uuid(),
    principalType: text(),
    credentialKind: text(),
    credentialId: text(),
    onBehalfOf: uuid(),
    /** The operation's name; the path of a page or webhook. */
    operation: text().notNull(),
    outcome: text({ enum: ['done', 'refused'] }).notNull(),
    /** Such as `brand`; null without a single object. */
    objectKind: text(),
    objectId: text(),
    /** Only changed fields. */
    before: jsonb().$type<Fields>(),
    after: jsonb().$type<Fields>(),
    address: text(),
    requestId: uuid().notNull(),
  },
  (table) => [
    index('audit_log_newest').on(table.organizationId, table.at, table.id),
    index('audit_log_of_principal').on(table.organizationId, table.principalId, table.at, table.id),
    index('audit_log_of_object').on(table.organizationId, table.objectId, table.at, table.id),
    check('audit_log_outcome', sql`${table.outcome} IN ('done', 'refused')`),
    check('audit_log_object', sql`${table.objectId} IS NULL OR ${table.objectKind} IS NOT NULL`),
  ],
)

/** The key that peppers are derived from, in one row, so that they stay the same when SECRETS_KEY changes (PLT-22). */
export const derivationRoots = platform.table(
  'derivation_roots',
  {
    id: uuid().primaryKey(),
    /** 32 bytes, base64, sealed. */
    sealedRoot: text().notNull(),
  },
  () => [uniqueIndex('derivation_roots_one').on(sql`(true)`)],
)

/** `kept`: stored instead of sent, in development and tests. */
export const mails = platform.table(
  'mails',
  {
    id: uuid().primaryKey(),
    recipient: text().notNull(),
    subject: text().notNull(),
    /** Text and HTML, sealed since they contain links that sign people in; null when no longer needed. */
    sealedContent: text(),
    state: text({ enum: ['waiting', 'sent', 'refused', 'kept'] }).notNull(),
    attempts: integer().notNull().default(0),
    /** What the mail server said of the last attempt that failed. */
    problem: text(),
    createdAt: instant().notNull(),
    settledAt: instant(),
  },
  (table) => [
    index('mails_created_at').on(table.createdAt),
    check('mails_state', sql`${table.state} IN ('waiting', 'sent', 'refused', 'kept')`),
    check('mails_settled', sql`(${table.settledAt} IS NULL) = (${table.state} = 'waiting')`),
    check('mails_content', sql`${table.state} <> 'waiting' OR ${table.sealedContent} IS NOT NULL`),
  ],
)

/** Responses to creating requests with an `Idempotency-Key` (PLT-13). */
export const idempotencyKeys = platform.table(
  'idempotency_keys',
  {
    scope: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    /**
     * `running`: taken by a request whose effect has transactions of its own. `broken_off`: such a request failed, and
     * part of its effect can be there.
     */
    state: text({ enum: ['running', 'broken_off', 'done'] }).notNull(),
    owner: uuid(),
    /** By the database's clock: past it the process of the owner is gone, and the effect can have been done or not. */
    leaseUntil: instant(),
    status: integer(),
    /** The data of the response without secrets; JSON null without data. */
    answer: json(),
    options: jsonb().$type<Pick<ReplyOptions, 'headers' | 'next' | 'toast'>>(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.key] }),
    index('idempotency_keys_expires_at').on(table.expiresAt),
    check('idempotency_keys_state', sql`${table.state} IN ('running', 'broken_off', 'done')`),
    check('idempotency_keys_done', sql`(${table.state} = 'done') = (${table.status} IS NOT NULL)`),
  ],
)

/** Unused tokens for the live channel. */
export const liveTokens = platform.table(
  'live_tokens',
  { id: uuid().primaryKey(), expiresAt: instant().notNull() },
  (table) => [index('live_tokens_expires_at').on(table.expiresAt)],
)

/** Requests taken in each subject's current window (PLT-14), one row per subject and class. */
export const rateLimits = platform.table(
  'rate_limits',
  {
    /** A credential or an address. */
    subject: text().notNull(),
    class: text().notNull(),
    taken: bigint({ mode: 'number' }).notNull(),
    resetsAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.subject, table.class] }), index('rate_limits_resets_at').on(table.resetsAt)],
)

export const webhookEndpoints = platform.table(
  'webhook_endpoints',
  {
    id: uuid().primaryKey(),
    organizationId: uuid().notNull(),
    name: text().notNull(),
    url: text().notNull(),
    /** Types of events, such as `post.published`. */
    events: text().array().notNull(),
    /** `disabled`: the URL responded 410. */
    state: text({ enum: ['enabled', 'paused', 'disabled'] }).notNull(),
    /** `whsec_…`, sealed. */
    sealedSecret: text().notNull(),
    /** The secret before it, which also signs until it expires. */
    sealedPreviousSecret: text(),
    previousSecretEndsAt: instant(),
    /** Its last attempt took long: its deliveries wait in a queue of their own. */
    slow: boolean().notNull().default(false),
    /** Counts changes, for `If-Match`. */
    version: integer().notNull().default(1),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    index('webhook_endpoints_organization').on(table.organizationId, table.id),
    check('webhook_endpoints_state', sql`${table.state} IN ('enabled', 'paused', 'disabled')`),
    check('webhook_endpoints_events', sql`cardinality(${table.events}) > 0`),
    check(
      'webhook_endpoints_previous_secret',
      sql`(${table.sealedPreviousSecret} IS NULL) = (${table.previousSecretEndsAt} IS NULL)`,
    ),
  ],
)

/** The outbox of webhook events, written in the transaction that caused them. */
export const webhookMessages = platform.table(
  'webhook_messages',
  {
    /** Sent as `webhook-id`, the same for every attempt. */
    id: uuid().primaryKey(),
    organizationId: uuid().notNull(),
    type: text().notNull(),
    /** The exact JSON that is signed. */
    body: text().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('webhook_messages_created_at').on(table.createdAt),
    index('webhook_messages_organization').on(table.organizationId),
  ],
)

/** One message for one endpoint. */
export const webhookDeliveries = platform.table(
  'webhook_deliveries',
  {
    id: uuid().primaryKey(),
    messageId: uuid()
      .notNull()
      .references(() => webhookMessages.id, { onDelete: 'cascade' }),
    endpointId: uuid()
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    state: text({ enum: ['waiting', 'delivered', 'failed'] }).notNull(),
    /** Counts replays: a job of an earlier round does nothing. */
    round: integer().notNull().default(1),
    /** Attempts in this round, which decide the next delay. */
    tries: integer().notNull().default(0),
    /** Attempts in all rounds. */
    attempts: integer().notNull().default(0),
    /** Status of the last response; null without one. */
    lastStatus: integer(),
    /** Null while it waits without a job: its webhook is paused, or its organization suspended. */
    nextAttemptAt: instant(),
    createdAt: instant().notNull(),
    settledAt: instant(),
  },
  (table) => [
    uniqueIndex('webhook_deliveries_once').on(table.messageId, table.endpointId),
    index('webhook_deliveries_of_endpoint').on(table.endpointId, table.id),
    index('webhook_deliveries_waiting')
      .on(table.endpointId)
      .where(sql`state = 'waiting'`),
    index('webhook_deliveries_held')
      .on(table.endpointId, table.id)
      .where(sql`state = 'waiting' AND next_attempt_at IS NULL`),
    check('webhook_deliveries_state', sql`${table.state} IN ('waiting', 'delivered', 'failed')`),
    check('webhook_deliveries_settled', sql`(${table.settledAt} IS NULL) = (${table.state} = 'waiting')`),
    check('webhook_deliveries_next', sql`${table.nextAttemptAt} IS NULL OR ${table.state} = 'waiting'`),
  ],
)

/** Attempts at deliveries. The newest 20 of each are kept. */
export const webhookAttempts = platform.table(
  'webhook_attempts',
  {
    deliveryId: uuid()
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    at: instant().notNull(),
    durationMs: integer().notNull(),
    status: integer(),
    answer: text(),
    /** Why there was no response, or no request. */
    problem: text(),
  },
  (table) => [
    primaryKey({ columns: [table.deliveryId, table.number] }),
    check('webhook_attempts_outcome', sql`(${table.status} IS NULL) <> (${table.problem} IS NULL)`),
  ],
)

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })

/** Webhook events from providers, stored before they are answered and handled. */
export const receivedWebhooks = platform.table(
  'received_webhooks',
  {
    id: uuid().primaryKey(),
    webhook: text().notNull(),
    path: text().notNull(),
    eventId: text().notNull(),
    type: text(),
    params: jsonb().$type<Record<string, string>>().notNull(),
    body: bytes().notNull(),
    state: text({ enum: ['waiting', 'handled', 'failed'] }).notNull(),
    /** Counts replays: a retry from before a replay does nothing. */
    round: integer().notNull().default(1),
    /** The error of the last attempt to handle it. */
    problem: text(),
    receivedAt: instant().notNull(),
    settledAt: instant(),
  },
  (table) => [
    uniqueIndex('received_webhooks_once').on(table.path, table.eventId),
    index('received_webhooks_received_at').on(table.receivedAt),
    index('received_webhooks_newest').on(table.webhook, table.id),
    index('received_webhooks_open')
      .on(table.state, table.id)
      .where(sql`state <> 'handled'`),
    check('received_webhooks_state', sql`${table.state} IN ('waiting', 'handled', 'failed')`),
    check('received_webhooks_settled', sql`(${table.settledAt} IS NULL) = (${table.state} = 'waiting')`),
    check('received_webhooks_problem', sql`(${table.problem} IS NULL) = (${table.state} <> 'failed')`),
  ],
)

export interface ActionButton {
  label: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  href: string
}

/** The outbox of raised actions for the dashboard. */
export const raisedActions = platform.table(
  'raised_actions',
  {
    id: uuid().primaryKey(),
    organizationId: uuid().notNull(),
    /** What the action is about, such as `social.connection:<id>`. */
    cause: text().notNull(),
    title: text().notNull(),
    reason: text().notNull(),
    href: text().notNull(),
    actions: jsonb().$type<ActionButton[]>().notNull(),
    raisedAt: instant().notNull(),
    /** Null while it is open. */
    resolvedAt: instant(),
    /** Counts changes: the dashboard ignores versions that aren't newer than its own. */
    version: integer().notNull().default(1),
    /** The last enqueued version, and the one that the dashboard has received. */
    enqueuedVersion: integer().notNull().default(0),
    takenVersion: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('raised_actions_open')
      .on(table.cause, table.organizationId)
      .where(sql`resolved_at IS NULL`),
    index('raised_actions_organization').on(table.organizationId),
    index('raised_actions_waiting')
      .on(table.raisedAt)
      .where(sql`enqueued_version < version`),
    index('raised_actions_untaken')
      .on(table.id)
      .where(sql`taken_version < version`),
    index('raised_actions_resolved')
      .on(table.resolvedAt)
      .where(sql`resolved_at IS NOT NULL`),
    check(
      'raised_actions_versions',
      sql`${table.version} >= greatest(${table.enqueuedVersion}, ${table.takenVersion})`,
    ),
  ],
)
