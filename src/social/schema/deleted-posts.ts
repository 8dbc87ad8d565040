import { index, jsonb, uuid } from 'drizzle-orm/pg-core'
import { social, time } from './base.ts'
import { brandId } from './brands.ts'

/** A deleted post with its attempts, which can be restored for a few minutes. */
export const deletedPosts = social.table(
  'deleted_posts',
  {
    /** The ID of the post. */
    id: uuid().primaryKey(),
    brandId: brandId(),
    /** The row of `social.posts`. */
    post: jsonb().notNull(),
    /** Its rows of `social.publish_attempts`. */
    attempts: jsonb().notNull(),
    /** Its rows of `social.post_reviews`. */
    reviews: jsonb().notNull().default([]),
    /** Its rows of `social.post_comments`. */
    comments: jsonb().notNull().default([]),
    deletedAt: time().notNull(),
  },
  (table) => [index('deleted_posts_oldest').on(table.deletedAt), index('deleted_posts_brand').on(table.brandId)],
)
