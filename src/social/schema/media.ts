import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, real, smallint, text, uuid } from 'drizzle-orm/pg-core'
import type { Media, MediaKind, MediaType, Rendition, Transcoding } from '../contract.ts'
import { createdAt, id, social, time } from './base.ts'
import { brandId } from './brands.ts'

/** A file of a brand. Its copies are in the storage beside it, under `social/<brand>/<id>`. */
export const media = social.table(
  'media',
  {
    id: id(),
    brandId: brandId(),
    createdBy: uuid().notNull(),
    /** The default is for servers of the previous release. */
    kind: text().$type<MediaKind>().notNull().default('image'),
    name: text().notNull(),
    alt: text().notNull(),
    tags: text().array().notNull().default([]),
    contentType: text().$type<MediaType>().notNull(),
    /** Upright, in pixels. */
    width: integer(),
    height: integer(),
    bytes: bigint({ mode: 'number' }).notNull(),
    /** With its copies. */
    storedBytes: bigint({ mode: 'number' })
      .notNull()
      .generatedAlwaysAs(
        sql`bytes + coalesce((renditions #>> '{thumb,bytes}')::bigint, 0)
          + coalesce((renditions #>> '{preview,bytes}')::bigint, 0) + coalesce((renditions #>> '{web,bytes}')::bigint, 0)`,
      ),
    sha256: text().notNull(),
    animated: boolean().notNull(),
    status: text().$type<Media['status']>().notNull().default('ready'),
    failure: text(),
    durationMs: bigint({ mode: 'number' }),
    frames: integer(),
    /** Frames per second. */
    frameRate: real(),
    /** Degrees. */
    rotation: smallint(),
    videoCodec: text(),
    audioCodec: text(),
    hasAudio: boolean(),
    pages: integer(),
    transcoding: jsonb().$type<Transcoding>(),
    renditions: jsonb().$type<Partial<Record<Rendition, StoredRendition>>>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('media_newest').on(table.brandId, table.id),
    index('media_sizes').on(table.brandId, table.storedBytes),
    index('media_without_alt')
      .on(table.brandId, table.id)
      .where(sql`alt = ''`),
    index('media_tags').using('gin', table.tags),
    check(
      'media_kind',
      sql`case ${table.kind}
        when 'image' then ${table.contentType} in ('image/jpeg', 'image/png', 'image/webp', 'image/gif')
          and ${table.width} is not null and ${table.pages} is null and ${table.videoCodec} is null
        when 'video' then ${table.contentType} in ('video/mp4', 'video/quicktime', 'video/webm')
          and ${table.pages} is null and ${table.frames} is null and not ${table.animated}
        when 'document' then ${table.contentType} = 'application/pdf' and ${table.width} is null
          and ${table.durationMs} is null and ${table.videoCodec} is null and not ${table.animated}
        else false end`,
    ),
    check(
      'media_size',
      sql`${table.bytes} > 0 and (${table.width} is null) = (${table.height} is null)
        and coalesce(${table.width} > 0 and ${table.height} > 0, true)`,
    ),
    check('media_status', sql`${table.status} in ('processing', 'ready', 'failed')`),
    check('media_failed', sql`(${table.status} = 'failed') = (${table.failure} is not null)`),
    check(
      'media_facts',
      sql`coalesce(${table.durationMs} >= 0, true) and coalesce(${table.frames} > 0, true)
        and coalesce(${table.frameRate} > 0, true) and coalesce(${table.rotation} in (0, 90, 180, 270), true)
        and coalesce(${table.pages} > 0, true) and coalesce(${table.hasAudio}, true) >= (${table.audioCodec} is not null)`,
    ),
  ],
)

export interface StoredRendition {
  contentType: MediaType
  width: number
  height: number
  bytes: number
  /** Missing for copies of the previous release. */
  sha256?: string
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
