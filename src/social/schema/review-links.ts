import { sql } from 'drizzle-orm'
import { boolean, check, foreignKey, index, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, social, time } from './base.ts'
import { brandId } from './brands.ts'

/** Secret addresses at which guests review posts of a brand without an account. */
export const reviewLinks = social.table(
  'review_links',
  {
    id: id(),
    brandId: brandId(),
    tokenHash: text().notNull(),
    /** Null until it is given by the creator, or once by the guest. */
    guestName: text(),
    canDecide: boolean().notNull(),
    /** Who answers for it: it ends with their access. */
    createdBy: uuid().notNull(),
    createdAt: createdAt(),
    expiresAt: time().notNull(),
    revokedAt: time(),
    /** To the hour; null before the first use. */
    lastUsedAt: time(),
    /** When the guest asked for a new link, until it is extended. */
    requestedAt: time(),
  },
  (table) => [
    unique('review_links_token').on(table.tokenHash),
    unique('review_links_in_brand').on(table.brandId, table.id),
    index('review_links_brand').on(table.brandId, table.createdAt, table.id),
    index('review_links_expired').on(table.expiresAt),
    check('review_links_guest', sql`${table.guestName} <> ''`),
    check('review_links_requested', sql`${table.requestedAt} is null or ${table.revokedAt} is null`),
  ],
)

/** Without a reference to the post: a deleted post can be restored. */
export const reviewLinkPosts = social.table(
  'review_link_posts',
  {
    brandId: brandId(),
    linkId: uuid().notNull(),
    postId: uuid().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.linkId, table.postId] }),
    foreignKey({
      name: 'review_link_posts_link',
      columns: [table.brandId, table.linkId],
      foreignColumns: [reviewLinks.brandId, reviewLinks.id],
    }).onDelete('cascade'),
    index('review_link_posts_post').on(table.brandId, table.postId),
    index('review_link_posts_of_link').on(table.brandId, table.linkId),
  ],
)
