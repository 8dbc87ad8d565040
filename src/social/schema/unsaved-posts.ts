import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, primaryKey, uuid } from 'drizzle-orm/pg-core'
import type { UnsavedContent } from '../contract.ts'
import { createdAt, social } from './base.ts'
import { brandId } from './brands.ts'
import { posts } from './posts.ts'

/** What a person typed into the composer and hasn't saved: for a post, or for a new one. */
export const unsavedPosts = social.table(
  'unsaved_posts',
  {
    /** The composer chooses it, so that a repeated request doesn't store the text twice. */
    id: uuid().notNull(),
    brandId: brandId(),
    personId: uuid().notNull(),
    /** The edited post; null for a new one. When it is deleted, the text remains as that of a new post. */
    postId: uuid().references(() => posts.id, { onDelete: 'set null' }),
    /** The version of the post that the changes are based on. */
    baseVersion: integer(),
    content: jsonb().$type<UnsavedContent>().notNull(),
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.personId, table.id] }),
    // Several of one person: each tab has its own.
    index('unsaved_posts_post_id').on(table.postId),
    index('unsaved_posts_person').on(table.personId, table.brandId, table.updatedAt),
    index('unsaved_posts_brand').on(table.brandId),
    index('unsaved_posts_oldest').on(table.updatedAt),
    check('unsaved_posts_base', sql`${table.postId} is null or ${table.baseVersion} is not null`),
  ],
)
