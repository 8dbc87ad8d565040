import { sql } from 'drizzle-orm'
import { bigint, check, date, index, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { UploadState } from '../contract/video.ts'
import { createdAt, gateway, id, time } from './base.ts'

/** Units of a Google project, bucket and Pacific day, of all organizations that share the project (GTW-43). */
export const videoQuota = gateway.table(
  'video_quota',
  {
    project: text().notNull(),
    bucket: text().notNull(),
    day: date().notNull(),
    used: integer().notNull(),
    /** When the provider said that nothing is left, whatever we counted. */
    exhaustedAt: time(),
  },
  (table) => [
    primaryKey({ columns: [table.project, table.bucket, table.day] }),
    check('video_quota_used', sql`${table.used} >= 0`),
  ],
)

/** Each organization's part of it. */
export const videoQuotaShares = gateway.table(
  'video_quota_shares',
  {
    organizationId: uuid().notNull(),
    project: text().notNull(),
    bucket: text().notNull(),
    day: date().notNull(),
    units: integer().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.day, table.project, table.bucket] })],
)

/** What Google granted a project instead of the usual units a day. */
export const videoQuotaLimits = gateway.table(
  'video_quota_limits',
  {
    project: text().notNull(),
    bucket: text().notNull(),
    unitsPerDay: integer().notNull(),
    updatedAt: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.project, table.bucket] }),
    check('video_quota_limits_units', sql`${table.unitsPerDay} >= 0`),
  ],
)

/** Resumable uploads to a provider. Only one request at a time sends bytes: the `writer`, until `writerEndsAt`. */
export const videoUploads = gateway.table(
  'video_uploads',
  {
    id: id(),
    organizationId: uuid().notNull(),
    applicationId: text(),
    userId: uuid(),
    project: text().notNull(),
    /** The provider’s session URI, which needs no other secret than the user’s token. */
    sealedSession: text().notNull(),
    baseUrl: text().notNull(),
    contentType: text().notNull(),
    length: bigint({ mode: 'number' }).notNull(),
    received: bigint({ mode: 'number' }).notNull().default(0),
    /** `finishing`: the last chunk was sent, and the provider hasn’t confirmed it yet. */
    state: text().$type<UploadState>().notNull().default('uploading'),
    videoId: text(),
    privacy: text(),
    writer: uuid(),
    writerEndsAt: time(),
    /** Null until the first request with bytes. */
    sentAt: time(),
    createdAt: createdAt(),
    expiresAt: time().notNull(),
  },
  (table) => [
    index('video_uploads_organization').on(table.organizationId),
    index('video_uploads_created').on(table.createdAt),
    check('video_uploads_state', sql`${table.state} IN ('uploading', 'finishing', 'completed')`),
    check('video_uploads_video', sql`(${table.state} = 'completed') = (${table.videoId} IS NOT NULL)`),
    check('video_uploads_received', sql`${table.received} BETWEEN 0 AND ${table.length}`),
  ],
)
