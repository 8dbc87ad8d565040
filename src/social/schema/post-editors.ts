import { index, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { createdAt, social } from './base.ts'
import { brandId } from './brands.ts'
import { posts } from './posts.ts'

/** Who has a post open in the composer. Its page reports that every 20 s. */
export const postEditors = social.table(
  'post_editors',
  {
    brandId: brandId(),
    postId: uuid()
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    personId: uuid().notNull(),
    /** The tab that reported last, so that another one of the person doesn't end it. */
    tabId: uuid().notNull(),
    seenAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.personId] }),
    index('post_editors_brand').on(table.brandId),
    index('post_editors_person').on(table.personId),
    index('post_editors_oldest').on(table.seenAt),
  ],
)
