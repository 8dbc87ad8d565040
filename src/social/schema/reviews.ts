import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { LinkPreview, PostMedia, ReviewDecision, ReviewVoidReason, Target, YouTubeOptions } from '../contract.ts'
import { createdAt, id, social, time } from './base.ts'
import { brandId } from './brands.ts'
import { posts } from './posts.ts'

/** A person of the organization, or a guest: a name that was given at a link. */
const personColumns = () => ({
  userId: uuid(),
  linkId: uuid(),
  guestName: text(),
})

const isOnePerson = (table: Record<'userId' | 'linkId' | 'guestName', unknown>) =>
  sql`(${table.userId} is null) = (${table.linkId} is not null) and (${table.linkId} is null) = (${table.guestName} is null)`

/** Decisions of reviewers on the content that a post had then. */
export const postReviews = social.table(
  'post_reviews',
  {
    id: id(),
    brandId: brandId(),
    postId: uuid()
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    ...personColumns(),
    decision: text().$type<ReviewDecision>().notNull(),
    comment: text(),
    content: jsonb().$type<ReviewedContent>().notNull(),
    /** Of the content: an approval counts only while the post has the same one. */
    fingerprint: text().notNull(),
    postVersion: integer().notNull(),
    /** Who wrote the content; null when this wasn't stored yet. */
    writers: uuid().array(),
    /** The owner, with a second factor, since no other member could approve the post. */
    confirmedAlone: boolean().notNull().default(false),
    createdAt: createdAt(),
    voidedAt: time(),
    voidReason: text().$type<ReviewVoidReason>(),
  },
  (table) => [
    index('post_reviews_post').on(table.postId, table.createdAt, table.id),
    index('post_reviews_brand').on(table.brandId, table.createdAt),
    index('post_reviews_open_of_link')
      .on(table.brandId, table.linkId)
      .where(sql`voided_at is null and link_id is not null`),
    // A link counts as one reviewer, whatever names are given at it.
    uniqueIndex('post_reviews_of_user')
      .on(table.postId, table.userId)
      .where(sql`voided_at is null and user_id is not null`),
    uniqueIndex('post_reviews_of_link')
      .on(table.postId, table.linkId)
      .where(sql`voided_at is null and link_id is not null`),
    check('post_reviews_decision', sql`${table.decision} in ('approve', 'request_changes')`),
    check('post_reviews_reviewer', isOnePerson(table)),
    check('post_reviews_voided', sql`(${table.voidedAt} is null) = (${table.voidReason} is null)`),
    check(
      'post_reviews_void_reason',
      sql`${table.voidReason} in ('edited', 'thread_changed', 'decided_again', 'revoked')`,
    ),
  ],
)

export const postComments = social.table(
  'post_comments',
  {
    id: id(),
    brandId: brandId(),
    postId: uuid()
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    ...personColumns(),
    text: text().notNull(),
    /** The part of the post that it is about. */
    quote: text(),
    mentions: uuid().array().notNull().default([]),
    createdAt: createdAt(),
    resolvedAt: time(),
    resolvedBy: uuid(),
  },
  (table) => [
    index('post_comments_post').on(table.postId, table.createdAt, table.id),
    index('post_comments_brand').on(table.brandId),
    check('post_comments_author', isOnePerson(table)),
    check('post_comments_text', sql`${table.text} <> ''`),
    check('post_comments_resolved', sql`(${table.resolvedAt} is null) = (${table.resolvedBy} is null)`),
  ],
)

/** What is reviewed of a post: all that its readers see, and where. */
export interface ReviewedContent {
  provider: string
  text: string
  media: PostMedia[]
  firstComment: string | null
  linkPreview: LinkPreview | null
  target: Target | null
  youtube: YouTubeOptions | null
}
