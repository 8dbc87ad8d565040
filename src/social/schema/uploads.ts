import { sql } from 'drizzle-orm'
import { bigint, check, index, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, social, time } from './base.ts'
import { brandId } from './brands.ts'
import { media } from './media.ts'

export const uploads = social.table(
  'uploads',
  {
    id: id(),
    brandId: brandId(),
    createdBy: uuid().notNull(),
    name: text().notNull(),
    alt: text().notNull(),
    /** `Upload-Metadata` as a tus client sent it, which is given back to it. */
    metadata: text(),
    status: text().$type<UploadStatus>().notNull().default('uploading'),
    /** Bytes, like `received`. */
    length: bigint({ mode: 'number' }).notNull(),
    received: bigint({ mode: 'number' }).notNull().default(0),
    /** The lock of the writing request. */
    writer: uuid(),
    writerEndsAt: time(),
    contentType: text(),
    sha256: text(),
    /** The file of a video that a server of the previous release stored: the sweep moves it to `social.media`. */
    fileId: uuid(),
    mediaId: uuid().references(() => media.id, { onDelete: 'set null' }),
    failure: text(),
    createdAt: createdAt(),
    /** When the upload is deleted; null while it has `fileId`. */
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

export const uploadParts = social.table(
  'upload_parts',
  {
    uploadId: uuid()
      .notNull()
      .references(() => uploads.id, { onDelete: 'cascade' }),
    /** In bytes. */
    startsAt: bigint({ mode: 'number' }).notNull(),
    fileId: uuid().notNull(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.startsAt] })],
)
