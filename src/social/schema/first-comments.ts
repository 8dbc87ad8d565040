import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import type { Provider } from '../contract.ts'
import type { AttemptEvent } from './attempts.ts'
import { createdAt, social, time } from './base.ts'
import { brandId } from './brands.ts'
import { posts, type Waiting } from './posts.ts'

/** The first comments of published posts: one for each, whose text is in the post (SOC-10). */
export const firstComments = social.table(
  'first_comments',
  {
    /** The post. */
    id: uuid()
      .primaryKey()
      .references(() => posts.id, { onDelete: 'cascade' }),
    brandId: brandId(),
    provider: text().$type<Provider>().notNull(),
    /** That published the post, and writes the comment. */
    externalAccount: text().notNull(),
    state: text().$type<FirstCommentState>().notNull().default('pending'),
    /** Requests that were begun, each after a commit of `sending`. */
    attempts: integer().notNull().default(0),
    platformCommentId: text(),
    failureCode: text(),
    failureMessage: text(),
    failureRetryable: boolean(),
    waitingFor: jsonb().$type<Waiting>(),
    /** Since when rate limits delay it; null while none does. */
    rateLimitedSince: time(),
    /** The last calls, read-backs and responses, oldest first. */
    events: jsonb().$type<AttemptEvent[]>().notNull().default([]),
    /** When it is next looked at, such as at the end of a lease; null when it is settled. */
    dueAt: time(),
    leaseOwner: uuid(),
    /** Of the first request: what the network has of it can’t be older. */
    startedAt: time(),
    settledAt: time(),
    createdAt: createdAt(),
  },
  (table) => [
    index('first_comments_due')
      .on(table.dueAt)
      .where(sql`state in ('pending', 'sending')`),
    index('first_comments_brand').on(table.brandId),
    index('first_comments_failed')
      .on(table.brandId, table.provider)
      .where(sql`state in ('failed', 'unknown')`),
    check('first_comments_state', sql`${table.state} in ('pending', 'sending', 'published', 'failed', 'unknown')`),
    check(
      'first_comments_due_while_open',
      sql`(${table.state} in ('pending', 'sending')) = (${table.dueAt} is not null)`,
    ),
    check('first_comments_settled', sql`(${table.state} in ('pending', 'sending')) = (${table.settledAt} is null)`),
    check(
      'first_comments_failure',
      sql`(${table.state} in ('failed', 'unknown')) = (${table.failureCode} is not null)`,
    ),
    check('first_comments_sending', sql`${table.state} <> 'sending' or ${table.startedAt} is not null`),
  ],
)

export type FirstCommentState = 'pending' | 'sending' | 'published' | 'failed' | 'unknown'
