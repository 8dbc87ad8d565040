import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, primaryKey, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { LinkPreview, PostMedia, Provider, YouTubeOptions } from '../contract.ts'
import { id, social, time } from './base.ts'
import { brandId } from './brands.ts'
import { connections } from './connections.ts'
import { posts } from './posts.ts'

export const publishAttempts = social.table(
  'publish_attempts',
  {
    id: id(),
    brandId: brandId(),
    postId: uuid()
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    connectionId: uuid()
      .notNull()
      .references(() => connections.id),
    provider: text().$type<Provider>().notNull(),
    externalAccount: text().notNull(),
    state: text().$type<'sending' | 'published' | 'failed' | 'unknown' | 'not_arrived'>().notNull().default('sending'),
    retrySafety: text().$type<RetrySafety>().notNull(),
    payloadHash: text().notNull(),
    payload: jsonb().$type<Payload>().notNull(),
    leaseOwner: uuid().notNull(),
    /** Each call, read-back and response, oldest first. */
    events: jsonb().$type<AttemptEvent[]>().notNull().default([]),
    startedAt: time().notNull(),
    settledAt: time(),
  },
  (table) => [
    unique('publish_attempts_number').on(table.postId, table.number),
    uniqueIndex('publish_attempts_sending')
      .on(table.postId)
      .where(sql`state = 'sending'`),
    uniqueIndex('publish_attempts_lane')
      .on(table.provider, table.externalAccount)
      .where(sql`state = 'sending'`),
    index('publish_attempts_account').on(table.provider, table.externalAccount, table.startedAt),
    check(
      'publish_attempts_state',
      sql`${table.state} in ('sending', 'published', 'failed', 'unknown', 'not_arrived')`,
    ),
    check('publish_attempts_settled', sql`(${table.state} = 'sending') = (${table.settledAt} is null)`),
    check('publish_attempts_safety', sql`${table.retrySafety} in ('safe', 'idempotent', 'reconcile_only', 'never')`),
  ],
)

interface Payload {
  text: string
  replyTo: string | null
  media?: PostMedia[]
  /** The Page or Group that the target named within its account. */
  place?: { pageId?: string; groupId?: string }
  youtube?: YouTubeOptions
  linkPreview?: LinkPreview
}

export type RetrySafety = 'safe' | 'idempotent' | 'reconcile_only' | 'never'

export interface AttemptEvent {
  at: string
  /** `answered`, `refused`, `timed_out`, `lost`, `read_back` … */
  what: string
  detail?: string
}

/** Accounts, and whole hosts, that take no posts until a time: their rate limit is used up. */
export const rateWindows = social.table(
  'rate_windows',
  {
    provider: text().$type<Provider>().notNull(),
    host: text().notNull(),
    /** The external account; empty when the limit counts all calls to the host. */
    account: text().notNull(),
    opensAt: time().notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.host, table.account] })],
)
