import { sql } from 'drizzle-orm'
import { bigint, date, index, integer, jsonb, pgSchema, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import type { Thumbnail, VideoInput } from './contract.ts'

/** Its own schema: the practice video provider is a counterpart of the gateway and shares nothing with it. */
export const practiceVideoSchema = pgSchema('practice_video')

const time = () => timestamp({ withTimezone: true, precision: 3 }).notNull()
const bytes = () => bigint({ mode: 'number' })

export const practiceVideoBehaviors = practiceVideoSchema.table('behaviors', {
  /** Empty for every project. */
  project: text().primaryKey(),
  behavior: jsonb().$type<Record<string, unknown>>().notNull(),
  /** How many requests it still affects; null for any number. */
  remaining: integer(),
  updatedAt: time().default(sql`now()`),
})

export const practiceVideoQuota = practiceVideoSchema.table(
  'quota',
  {
    project: text().notNull(),
    bucket: text().notNull(),
    /** In Pacific time. */
    day: date().notNull(),
    used: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.project, table.bucket, table.day] })],
)

export const practiceVideos = practiceVideoSchema.table(
  'videos',
  {
    id: text().primaryKey(),
    uploadId: text().notNull(),
    project: text().notNull(),
    account: text().notNull(),
    metadata: jsonb().$type<VideoInput>().notNull(),
    contentType: text().notNull(),
    length: bytes().notNull(),
    /** Null when several processes received it: then its pieces have one each. */
    sha256: text(),
    thumbnail: jsonb().$type<Thumbnail>(),
    createdAt: time(),
  },
  (table) => [index().on(table.account, table.createdAt)],
)

export const practiceVideoUploads = practiceVideoSchema.table('uploads', {
  id: text().primaryKey(),
  project: text().notNull(),
  account: text().notNull(),
  /** The parts of the video that its response contains. */
  parts: jsonb().$type<string[]>().notNull(),
  metadata: jsonb().$type<VideoInput>().notNull(),
  contentType: text(),
  /** Null until it is known. */
  length: bytes(),
  received: bytes().notNull().default(0),
  requests: integer().notNull().default(0),
  videoId: text(),
  expiresAt: time(),
})

/** What was received and stored at once: the bytes themselves are not kept. */
export const practiceVideoPieces = practiceVideoSchema.table(
  'pieces',
  {
    uploadId: text().notNull(),
    startsAt: bytes().notNull(),
    length: integer().notNull(),
    sha256: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.startsAt] })],
)

/** Top-level comments on videos. */
export const practiceVideoComments = practiceVideoSchema.table(
  'comments',
  {
    id: text().primaryKey(),
    videoId: text()
      .notNull()
      .references(() => practiceVideos.id, { onDelete: 'cascade' }),
    account: text().notNull(),
    text: text().notNull(),
    createdAt: time(),
  },
  (table) => [index('comments_newest').on(table.videoId, table.createdAt, table.id)],
)
