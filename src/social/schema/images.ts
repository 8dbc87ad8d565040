import { sql } from 'drizzle-orm'
import { bigint, check, index, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import type { ImageSize, ImageStatus } from '../contract.ts'
import { createdAt, id, social, time } from './base.ts'
import { brandId } from './brands.ts'
import { media } from './media.ts'

/** A saved generation: one call of a model, inserted before it. */
export const imageGenerations = social.table(
  'image_generations',
  {
    id: id(),
    brandId: brandId(),
    createdBy: uuid().notNull(),
    /** The slug of the service that asked for it; null for people and API keys. */
    service: text(),
    prompt: text().notNull(),
    size: text().$type<ImageSize>().notNull(),
    count: smallint().notNull(),
    /** The override of this one request. */
    requestedModel: text(),
    /** The model that answered. */
    model: text(),
    costNanoUsd: bigint({ mode: 'number' }),
    status: text().$type<ImageStatus>().notNull().default('generating'),
    /** While it runs, its server renews this. */
    leaseUntil: time(),
    failureCode: text(),
    failureMessage: text(),
    createdAt: createdAt(),
    finishedAt: time(),
    /** When a failed one is deleted. */
    expiresAt: time(),
  },
  (table) => [
    index('image_generations_newest').on(table.brandId, table.id),
    index('image_generations_running')
      .on(table.leaseUntil)
      .where(sql`${table.status} = 'generating'`),
    index('image_generations_expired').on(table.expiresAt),
    check('image_generations_status', sql`${table.status} in ('generating', 'completed', 'failed')`),
    check('image_generations_lease', sql`(${table.status} = 'generating') = (${table.leaseUntil} is not null)`),
    check('image_generations_failed', sql`(${table.status} = 'failed') = (${table.failureCode} is not null)`),
    check('image_generations_count', sql`${table.count} between 1 and 4`),
  ],
)

export const generatedImages = social.table(
  'generated_images',
  {
    generationId: uuid()
      .notNull()
      .references(() => imageGenerations.id, { onDelete: 'cascade' }),
    position: smallint().notNull(),
    /** Null once the image was deleted from the library. */
    mediaId: uuid().references(() => media.id, { onDelete: 'set null' }),
  },
  (table) => [
    primaryKey({ columns: [table.generationId, table.position] }),
    index('generated_images_media').on(table.mediaId),
  ],
)
