import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import type { ImageType, Rendition } from '../contract.ts'
import { createdAt, id, social, time } from './base.ts'
import { brandId } from './brands.ts'

/** An image of a brand. Its files are in the storage under `social/<brand>/<id>`. */
export const media = social.table(
  'media',
  {
    id: id(),
    brandId: brandId(),
    createdBy: uuid().notNull(),
    name: text().notNull(),
    alt: text().notNull(),
    contentType: text().$type<ImageType>().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    bytes: integer().notNull(),
    sha256: text().notNull(),
    animated: boolean().notNull(),
    renditions: jsonb().$type<Partial<Record<Rendition, StoredRendition>>>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('media_newest').on(table.brandId, table.id),
    check('media_type', sql`${table.contentType} in ('image/jpeg', 'image/png', 'image/webp', 'image/gif')`),
    check('media_size', sql`${table.width} > 0 and ${table.height} > 0 and ${table.bytes} > 0`),
  ],
)

export interface StoredRendition {
  contentType: ImageType
  width: number
  height: number
  bytes: number
}

/** The row is inserted before the first byte, so that an interruption leaves nothing behind. */
export const looseFiles = social.table(
  'loose_files',
  {
    key: text().primaryKey(),
    dueAt: time().notNull(),
  },
  (table) => [index('loose_files_due').on(table.dueAt)],
)
