import { sql } from 'drizzle-orm'
import { check, index, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, social, time } from './base.ts'
import { brandId } from './brands.ts'
import { posts } from './posts.ts'

/** Corrections of published posts on their networks (SOC-48). */
export const postCorrections = social.table(
  'post_corrections',
  {
    id: id(),
    brandId: brandId(),
    postId: uuid()
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    authorId: uuid().notNull(),
    formerText: text().notNull(),
    text: text().notNull(),
    reason: text(),
    state: text().$type<CorrectionState>().notNull().default('sending'),
    failureCode: text(),
    failureMessage: text(),
    createdAt: createdAt(),
    settledAt: time(),
  },
  (table) => [
    index('post_corrections_post').on(table.postId, table.createdAt, table.id),
    index('post_corrections_brand').on(table.brandId),
    uniqueIndex('post_corrections_sending')
      .on(table.postId)
      .where(sql`state = 'sending'`),
    check('post_corrections_state', sql`${table.state} in ('sending', 'corrected', 'failed', 'unknown')`),
    check('post_corrections_settled', sql`(${table.state} = 'sending') = (${table.settledAt} is null)`),
    check(
      'post_corrections_failure',
      sql`(${table.state} in ('failed', 'unknown')) = (${table.failureCode} is not null)`,
    ),
  ],
)

type CorrectionState = 'sending' | 'corrected' | 'failed' | 'unknown'
