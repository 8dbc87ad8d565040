import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import type { Provider } from '../contract.ts'
import { social, time } from './base.ts'
import { brandId } from './brands.ts'
import { connections } from './connections.ts'
import { posts } from './posts.ts'

/** What a network said about an account when it was last asked, so that posts of one account share one request. */
export const accountChecks = social.table('account_checks', {
  connectionId: uuid()
    .primaryKey()
    .references(() => connections.id, { onDelete: 'cascade' }),
  brandId: brandId(),
  checkedAt: time().notNull(),
  /** Why it can’t publish; null when it can. */
  problem: jsonb().$type<{ code: string; message: string }>(),
  /** Posts that the network still takes for now; null where it doesn’t say. */
  quotaLeft: integer(),
  quotaTotal: integer(),
  /** Null when its tokens have no end. */
  isRefreshable: boolean(),
  /** Whether the app that its tokens are of is in the gateway; null without one, or when the gateway didn’t say. */
  hasApp: boolean(),
})

/** The last check of a scheduled post (SOC-15), deleted when it is published or fails; one with a problem once its action is resolved. */
export const postChecks = social.table(
  'post_checks',
  {
    postId: uuid()
      .primaryKey()
      .references(() => posts.id, { onDelete: 'cascade' }),
    brandId: brandId(),
    provider: text().$type<Provider>().notNull(),
    state: text().$type<'ready' | 'warning' | 'problem'>().notNull(),
    checkedAt: time().notNull(),
    /** The scheduled time for which the check of an hour before was made. */
    checkedFor: time(),
    /** IDs of files that weren’t in the storage. */
    missingFiles: jsonb().$type<string[]>().notNull().default([]),
  },
  (table) => [
    index('post_checks_brand').on(table.brandId),
    index('post_checks_problems')
      .on(table.brandId, table.provider)
      .where(sql`state = 'problem'`),
    index('post_checks_again')
      .on(table.checkedAt)
      .where(sql`state = 'problem'`),
    check('post_checks_state', sql`${table.state} in ('ready', 'warning', 'problem')`),
  ],
)
