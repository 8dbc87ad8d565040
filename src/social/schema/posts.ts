import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { LinkPreview, PostMedia, PostReviewState, Provider, Target, YouTubeOptions } from '../contract.ts'
import { createdAt, id, social, time } from './base.ts'
import { brandId } from './brands.ts'

export const posts = social.table(
  'posts',
  {
    id: id(),
    brandId: brandId(),
    /** The submission that created it together with other posts. */
    groupId: uuid(),
    threadId: uuid(),
    position: integer().notNull().default(0),
    authorId: uuid().notNull(),
    provider: text().$type<Provider>().notNull(),
    status: text().$type<PostStatus>().notNull().default('draft'),
    text: text().notNull(),
    /** In their order, with the alt texts of that time. */
    media: jsonb().$type<PostMedia[]>().notNull().default([]),
    firstComment: text(),
    linkPreview: jsonb().$type<LinkPreview>(),
    tags: text().array().notNull().default([]),
    campaign: text(),
    /** When it is published. Of a draft: when it is planned to be, which publishes nothing. */
    scheduledAt: time(),
    timeZone: text(),
    /** Of a draft that was unscheduled and not changed since: the time that it had. */
    formerScheduledAt: time(),
    target: jsonb().$type<Target>(),
    youtube: jsonb().$type<YouTubeOptions>(),
    platformPostId: text(),
    permalink: text(),
    publishedAt: time(),
    /** When it was deleted from the network. Its row remains, as a record of what was published. */
    withdrawnAt: time(),
    /** Where it was published: with `platformPostId` the network's name of it. */
    externalAccount: text(),
    failureCode: text(),
    failureMessage: text(),
    failedAt: time(),
    failureRetryable: boolean(),
    reviewState: text().$type<PostReviewState>().notNull().default('none'),
    /** Since when it has this state, unless it is `none`. */
    reviewStateAt: time(),
    /** Who last asked for a review; null after it was requested by an edit. */
    reviewRequestedBy: uuid(),
    /** Who last changed what is reviewed; null: its author. */
    contentBy: uuid(),
    /** Who else wrote some of it since others last approved it; null: its author and `contentBy` only. */
    contentWriters: uuid().array(),
    waitingFor: jsonb().$type<Waiting>(),
    /** Since when rate limits delay it; null while none does. */
    rateLimitedSince: time(),
    /** When the scheduler next looks at it: the schedule, the end of a lease, or a later look at a waiting post. */
    dueAt: time(),
    leaseOwner: uuid(),
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    /** Who saved this version; null when the server did, or before this was stored. */
    updatedBy: uuid(),
    sortAt: time()
      .notNull()
      .generatedAlwaysAs(sql`coalesce(scheduled_at, created_at)`),
  },
  (table) => [
    index('posts_newest').on(table.brandId, table.sortAt, table.id),
    index('posts_newest_of_status').on(table.brandId, table.status, table.sortAt, table.id),
    // Counted for the quotas of their networks.
    index('posts_planned')
      .on(table.brandId, table.provider, table.scheduledAt, table.id)
      .where(sql`status = 'scheduled'`),
    index('posts_published')
      .on(table.brandId, table.publishedAt)
      .where(sql`status = 'published'`),
    index('posts_commented')
      .on(table.publishedAt)
      .where(sql`status = 'published' and first_comment is not null`),
    index('posts_due')
      .on(table.dueAt)
      .where(sql`status = 'scheduled'`),
    uniqueIndex('posts_thread').on(table.threadId, table.position),
    index('posts_group')
      .on(table.groupId)
      .where(sql`group_id is not null`),
    // Per brand: several brands can publish through one account without knowing of each other.
    uniqueIndex('posts_delivered')
      .on(table.provider, table.externalAccount, table.platformPostId, table.brandId)
      .where(sql`platform_post_id is not null`),
    // Without a pending list, which each search reads from its beginning: a page of the library searches for each file.
    index('posts_media')
      .using('gin', sql`${table.media} jsonb_path_ops`)
      .with({ fastupdate: 'off' })
      .where(sql`media <> '[]'`),
    index('posts_in_review')
      .on(table.brandId, table.reviewStateAt, table.id)
      .where(sql`review_state <> 'none'`),
    index('posts_of_review_state')
      .on(table.brandId, table.reviewState, table.reviewStateAt, table.id)
      .where(sql`review_state <> 'none'`),
    // Counted on each page of the workspace.
    index('posts_to_review')
      .on(table.brandId, table.provider)
      .where(sql`review_state = 'requested' and status <> 'published'`),
    check('posts_review_state', sql`${table.reviewState} in ('none', 'requested', 'approved', 'changes_requested')`),
    check('posts_review_state_at', sql`(${table.reviewState} = 'none') = (${table.reviewStateAt} is null)`),
    check('posts_media_list', sql`jsonb_typeof(${table.media}) = 'array'`),
    check('posts_status', sql`${table.status} in ('draft', 'scheduled', 'published', 'failed')`),
    check(
      'posts_scheduled',
      sql`${table.status} <> 'scheduled' or (${table.scheduledAt} is not null and ${table.dueAt} is not null)`,
    ),
    check('posts_draft', sql`${table.status} <> 'draft' or ${table.dueAt} is null`),
    check(
      'posts_published',
      sql`${table.status} <> 'published' or ${table.platformPostId} is not null or ${table.permalink} is not null`,
    ),
    check(
      'posts_failed',
      sql`(${table.status} = 'failed') = (${table.failureCode} is not null and ${table.failedAt} is not null)`,
    ),
    check('posts_withdrawn', sql`${table.withdrawnAt} is null or ${table.status} = 'published'`),
    check('posts_waiting', sql`${table.waitingFor} is null or ${table.status} = 'scheduled'`),
    check('posts_position', sql`${table.position} >= 0 and (${table.threadId} is not null or ${table.position} = 0)`),
  ],
)

export type PostStatus = 'draft' | 'scheduled' | 'published' | 'failed'

export interface Waiting {
  reason:
    | 'thread_predecessor'
    | 'account_busy'
    | 'workspace_suspended'
    | 'identity_unavailable'
    | 'gateway_unavailable'
    | 'rate_window'
    | 'media_uploading'
    | 'media_processing'
    | 'paused'
    | 'approval_required'
  postId?: string
  until?: string
  percent?: number
}
