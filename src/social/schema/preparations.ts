import { boolean, text, uuid } from 'drizzle-orm/pg-core'
import { brandId } from './brands.ts'
import { social, time } from './base.ts'
import { posts } from './posts.ts'

/** Files that a network has received, and containers that it processes, for posts that weren’t sent yet. */
export const preparations = social.table('preparations', {
  /** The post. */
  id: uuid()
    .primaryKey()
    .references(() => posts.id, { onDelete: 'cascade' }),
  brandId: brandId(),
  connectionId: uuid().notNull(),
  /** Of what is prepared: an edited post is prepared again. */
  payloadHash: text().notNull(),
  /** In the network’s own format, which can include URLs that accept uploads. */
  sealedProgress: text().notNull(),
  isReady: boolean().notNull().default(false),
  startedAt: time().notNull(),
  progressedAt: time().notNull(),
})
