import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { newId } from '#lib/ids.ts'
import type { ImageType, PostMedia, Provider, Rendition, Target } from './contract.ts'

export const social = pgSchema('social')

const id = () => uuid().primaryKey().$defaultFn(newId)
const time = () => timestamp({ withTimezone: true, precision: 3 })
const createdAt = () =>
  time()
    .notNull()
    .default(sql`now()`)

export const brands = social.table(
  'brands',
  {
    id: id(),
    organizationId: uuid('platform_org_id').notNull(),
    name: text().notNull(),
    slug: text().notNull(),
    timeZone: text().notNull(),
    logoUrl: text(),
    colors: text().array().notNull().default([]),
    voice: text(),
    defaultHashtags: text().array().notNull().default([]),
    queueSlots: jsonb().$type<QueueSlot[]>().notNull().default([]),
    reviewPolicy: jsonb().$type<ReviewPolicy>().notNull().default({ approvals: 0 }),
    createdAt: createdAt(),
  },
  (table) => [unique('brands_slug').on(table.organizationId, table.slug)],
)

/** A weekly slot as local wall time: day 1 is Monday. */
export interface QueueSlot {
  day: number
  time: string
}

export interface ReviewPolicy {
  approvals: number
}

export const connections = social.table(
  'connections',
  {
    id: id(),
    brandId: uuid()
      .notNull()
      .references(() => brands.id),
    provider: text().$type<Provider>().notNull(),
    /** The person who connected it. */
    ownerId: uuid().notNull(),
    active: boolean().notNull().default(true),
    externalId: text().notNull(),
    name: text().notNull(),
    /** Pages, groups, organizations and the like, as the network told. */
    metadata: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    /** The server that its calls go to: a Mastodon instance, a PDS, else the network itself. */
    host: text()
      .notNull()
      .generatedAlwaysAs(sql`coalesce(metadata->>'origin', metadata->>'pds', provider)`),
    /** Sealed as `social.connections:<id>`. */
    sealedTokens: text(),
    scopes: text().array().notNull().default([]),
    expiresAt: time(),
    health: text().$type<'ok' | 'signed_out' | 'expired'>().notNull().default('ok'),
    /** Who is asking the network for new tokens, and until when no other caller asks. */
    renewalOwner: uuid(),
    renewalEndsAt: time(),
    createdAt: createdAt(),
    deactivatedAt: time(),
  },
  (table) => [
    check('connections_renewal', sql`(${table.renewalOwner} is null) = (${table.renewalEndsAt} is null)`),
    unique('connections_account').on(table.brandId, table.provider, table.externalId, table.ownerId),
    check('connections_health', sql`${table.health} in ('ok', 'signed_out', 'expired')`),
    check('connections_active', sql`${table.active} = (${table.deactivatedAt} is null)`),
  ],
)

export const posts = social.table(
  'posts',
  {
    id: id(),
    brandId: uuid()
      .notNull()
      .references(() => brands.id),
    /** The composer submission that it came from, when that made several posts. */
    groupId: uuid(),
    threadId: uuid(),
    position: integer().notNull().default(0),
    authorId: uuid().notNull(),
    provider: text().$type<Provider>().notNull(),
    status: text().$type<PostStatus>().notNull().default('draft'),
    text: text().notNull(),
    /** Images in their order, with their words of then; guarded by `social.media`'s own deletion. */
    media: jsonb().$type<PostMedia[]>().notNull().default([]),
    firstComment: text(),
    linkPreview: jsonb().$type<{ url: string }>(),
    tags: text().array().notNull().default([]),
    campaign: text(),
    scheduledAt: time(),
    timeZone: text(),
    target: jsonb().$type<Target>(),
    platformPostId: text(),
    permalink: text(),
    publishedAt: time(),
    /** When it was deleted from the network; it stays here as what was published. */
    withdrawnAt: time(),
    /** The external account that it went to: with platformPostId the network's name of it. */
    externalAccount: text(),
    failureCode: text(),
    failureMessage: text(),
    failedAt: time(),
    failureRetryable: boolean(),
    reviewState: text().$type<'none' | 'requested' | 'approved' | 'changes_requested'>().notNull().default('none'),
    /** Why a due post has not gone out yet. */
    waitingFor: jsonb().$type<Waiting>(),
    /** Since when rate limits have kept it from going out; null while none has. */
    rateLimitedSince: time(),
    /** When the scheduler next looks at it: the schedule, the end of a lease, or a later look at a waiting post. */
    dueAt: time(),
    leaseOwner: uuid(),
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    /** What the list is ordered by. */
    sortAt: time()
      .notNull()
      .generatedAlwaysAs(sql`coalesce(scheduled_at, created_at)`),
  },
  (table) => [
    index('posts_newest').on(table.brandId, table.sortAt, table.id),
    index('posts_newest_of_status').on(table.brandId, table.status, table.sortAt, table.id),
    index('posts_due')
      .on(table.dueAt)
      .where(sql`status = 'scheduled'`),
    uniqueIndex('posts_thread').on(table.threadId, table.position),
    index('posts_group')
      .on(table.groupId)
      .where(sql`group_id is not null`),
    // Of one brand: several may publish through one account, and learn nothing of each other.
    uniqueIndex('posts_delivered')
      .on(table.provider, table.externalAccount, table.platformPostId, table.brandId)
      .where(sql`platform_post_id is not null`),
    index('posts_media')
      .using('gin', sql`${table.media} jsonb_path_ops`)
      .where(sql`media <> '[]'`),
    check('posts_media_list', sql`jsonb_typeof(${table.media}) = 'array'`),
    check('posts_status', sql`${table.status} in ('draft', 'scheduled', 'published', 'failed')`),
    check(
      'posts_scheduled',
      sql`${table.status} <> 'scheduled' or (${table.scheduledAt} is not null and ${table.dueAt} is not null)`,
    ),
    check('posts_draft', sql`${table.status} <> 'draft' or (${table.scheduledAt} is null and ${table.dueAt} is null)`),
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

/** A named reason for which a due post waits. */
export interface Waiting {
  reason: 'thread_predecessor' | 'account_busy' | 'workspace_suspended' | 'identity_unavailable' | 'rate_window'
  /** The post it waits for, when there is one. */
  postId?: string
  /** When the rate window opens again, as RFC 3339. */
  until?: string
}

/** An image of a brand. Its files stand in the storage under `social/<brand>/<id>`. */
export const media = social.table(
  'media',
  {
    id: id(),
    brandId: uuid()
      .notNull()
      .references(() => brands.id),
    createdBy: uuid().notNull(),
    /** As the file was called, or the empty text. */
    name: text().notNull(),
    alt: text().notNull(),
    /** Of the image as it is kept: upright, and without what the camera wrote into it. */
    contentType: text().$type<ImageType>().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    bytes: integer().notNull(),
    sha256: text().notNull(),
    animated: boolean().notNull(),
    renditions: jsonb().$type<Partial<Record<Rendition, KeptRendition>>>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('media_newest').on(table.brandId, table.id),
    check('media_type', sql`${table.contentType} in ('image/jpeg', 'image/png', 'image/webp', 'image/gif')`),
    check('media_size', sql`${table.width} > 0 and ${table.height} > 0 and ${table.bytes} > 0`),
  ],
)

/** What is known of a rendition's file. */
export interface KeptRendition {
  contentType: ImageType
  width: number
  height: number
  bytes: number
}

/**
 * Files in the storage that no row stands for: of an upload under way, or of a deleted image. The row is there before
 * the first byte, so that whatever breaks off leaves nothing behind.
 */
export const looseFiles = social.table(
  'loose_files',
  {
    /** What the names of the files begin with. */
    key: text().primaryKey(),
    /** When they are to go. */
    dueAt: time().notNull(),
  },
  (table) => [index('loose_files_due').on(table.dueAt)],
)

/** A file that arrives in pieces, each of which goes on where the one before ended. */
export const uploads = social.table(
  'uploads',
  {
    id: id(),
    brandId: uuid()
      .notNull()
      .references(() => brands.id),
    createdBy: uuid().notNull(),
    /** As the file is called, or the empty text. */
    name: text().notNull(),
    /** Of the image that it becomes. */
    alt: text().notNull(),
    /** `Upload-Metadata` as a tus client sent it, which is given back to it. */
    metadata: text(),
    status: text().$type<UploadStatus>().notNull().default('uploading'),
    /** Bytes of the whole file. */
    length: bigint({ mode: 'number' }).notNull(),
    /** Bytes that are kept, from the first one on. */
    received: bigint({ mode: 'number' }).notNull().default(0),
    /** The request that writes, and until when it is the only one. */
    writer: uuid(),
    writerEndsAt: time(),
    /** By its content, once it is complete. */
    contentType: text(),
    sha256: text(),
    /** The file of a video; null of an image, which is in `social.media`. */
    fileId: uuid(),
    mediaId: uuid().references(() => media.id, { onDelete: 'set null' }),
    /** Why the file was refused, for its sender. */
    failure: text(),
    createdAt: createdAt(),
    /** When it is deleted; null for a video that is complete. */
    expiresAt: time(),
  },
  (table) => [
    index('uploads_of_brand').on(table.brandId),
    index('uploads_media').on(table.mediaId),
    index('uploads_expired').on(table.expiresAt),
    check('uploads_status', sql`${table.status} in ('uploading', 'processing', 'completed', 'failed')`),
    check('uploads_received', sql`${table.received} between 0 and ${table.length} and ${table.length} > 0`),
    check('uploads_uploading', sql`(${table.status} = 'uploading') = (${table.received} < ${table.length})`),
    check('uploads_writer', sql`(${table.writer} is null) = (${table.writerEndsAt} is null)`),
    check('uploads_completed', sql`(${table.status} = 'completed') = (${table.sha256} is not null)`),
    check('uploads_failed', sql`(${table.status} = 'failed') = (${table.failure} is not null)`),
    check('uploads_expires', sql`(${table.expiresAt} is null) = (${table.fileId} is not null)`),
  ],
)

export type UploadStatus = 'uploading' | 'processing' | 'completed' | 'failed'

/** The pieces of an upload that isn't complete: each a file of its own in the storage. */
export const uploadParts = social.table(
  'upload_parts',
  {
    uploadId: uuid()
      .notNull()
      .references(() => uploads.id, { onDelete: 'cascade' }),
    /** The place of its first byte in the whole file. */
    startsAt: bigint({ mode: 'number' }).notNull(),
    fileId: uuid().notNull(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.startsAt] })],
)

export const publishAttempts = social.table(
  'publish_attempts',
  {
    id: id(),
    brandId: uuid()
      .notNull()
      .references(() => brands.id),
    postId: uuid()
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    connectionId: uuid()
      .notNull()
      .references(() => connections.id),
    provider: text().$type<Provider>().notNull(),
    externalAccount: text().notNull(),
    state: text().$type<'sending' | 'published' | 'failed' | 'unknown' | 'not_arrived'>().notNull().default('sending'),
    retrySafety: text().$type<RetrySafety>().notNull(),
    payloadHash: text().notNull(),
    payload: jsonb().$type<{ text: string; replyTo: string | null; media?: PostMedia[] }>().notNull(),
    leaseOwner: uuid().notNull(),
    /** What happened inside: each call, read-back and answer, oldest first. */
    events: jsonb().$type<AttemptEvent[]>().notNull().default([]),
    startedAt: time().notNull(),
    settledAt: time(),
  },
  (table) => [
    unique('publish_attempts_number').on(table.postId, table.number),
    uniqueIndex('publish_attempts_sending')
      .on(table.postId)
      .where(sql`state = 'sending'`),
    uniqueIndex('publish_attempts_lane')
      .on(table.provider, table.externalAccount)
      .where(sql`state = 'sending'`),
    check(
      'publish_attempts_state',
      sql`${table.state} in ('sending', 'published', 'failed', 'unknown', 'not_arrived')`,
    ),
    check('publish_attempts_settled', sql`(${table.state} = 'sending') = (${table.settledAt} is null)`),
    check('publish_attempts_safety', sql`${table.retrySafety} in ('safe', 'idempotent', 'reconcile_only', 'never')`),
  ],
)

export type RetrySafety = 'safe' | 'idempotent' | 'reconcile_only' | 'never'

export interface AttemptEvent {
  at: string
  /** `answered`, `refused`, `timed_out`, `lost`, `read_back` … */
  what: string
  detail?: string
}

/** Accounts, and whole hosts, that take no posts until a time: their rate limit is used up. */
export const rateWindows = social.table(
  'rate_windows',
  {
    provider: text().$type<Provider>().notNull(),
    host: text().notNull(),
    /** The external account; empty when the limit counts all calls to the host. */
    account: text().notNull(),
    opensAt: time().notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.host, table.account] })],
)

/** The sandbox network's own rows: what it received. A network of its own, so nothing refers to it. */
export const sandboxReceipts = social.table(
  'sandbox_receipts',
  {
    id: id(),
    handle: text().notNull(),
    text: text().notNull(),
    replyTo: uuid(),
    media: jsonb().$type<{ id: string; alt: string }[]>().notNull().default([]),
    receivedAt: time()
      .notNull()
      .default(sql`date_trunc('milliseconds', clock_timestamp())`),
  },
  (table) => [index('sandbox_receipts_timeline').on(table.handle, table.receivedAt, table.id)],
)

/** Images that the sandbox network was sent, as base64. */
export const sandboxFiles = social.table('sandbox_files', {
  id: id(),
  handle: text().notNull(),
  contentType: text().$type<ImageType>().notNull(),
  content: text().notNull(),
  createdAt: createdAt(),
})

export const sandboxBehaviors = social.table('sandbox_behaviors', {
  handle: text().primaryKey(),
  behavior: jsonb().$type<Record<string, unknown>>().notNull(),
  /** How many times the fault still happens; null: until changed. */
  remaining: integer(),
})

/** Our registration as an app at an instance of a network that has many. */
export const networkApps = social.table(
  'network_apps',
  {
    id: id(),
    provider: text().$type<Provider>().notNull(),
    /** The instance's origin. */
    host: text().notNull(),
    redirectUri: text().notNull(),
    clientId: text().notNull(),
    /** Sealed as `social.network_apps:<id>`. */
    sealedSecret: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [unique('network_apps_place').on(table.provider, table.host, table.redirectUri)],
)

/** A person who was sent to a network's consent page: who, for which brand, and what their answer needs. */
export const authorizations = social.table(
  'authorizations',
  {
    id: id(),
    /** SHA-256 of the state, which goes through the person's browser. */
    stateDigest: text().notNull().unique(),
    userId: uuid().notNull(),
    brandId: uuid()
      .notNull()
      .references(() => brands.id, { onDelete: 'cascade' }),
    provider: text().$type<Provider>().notNull(),
    /** Sealed as `social.authorizations:<id>`. */
    sealedKept: text().notNull(),
    expiresAt: time().notNull(),
  },
  (table) => [index('authorizations_expired').on(table.expiresAt)],
)
