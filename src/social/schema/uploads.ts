import { sql } from 'drizzle-orm'
import { bigint, check, index, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, social, time } from './base.ts'
import { brands } from './brands.ts'
import { media } from './media.ts'

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
