import { sql } from 'drizzle-orm'
import { check, jsonb, text, unique, uuid } from 'drizzle-orm/pg-core'
import { bytes } from '#lib/db/bytes.ts'
import type { HashtagPlacements } from '../contract.ts'
import { createdAt, id, social, time } from './base.ts'

export const brands = social.table(
  'brands',
  {
    id: id(),
    organizationId: uuid('platform_org_id').notNull(),
    name: text().notNull(),
    slug: text().notNull(),
    timeZone: text().notNull(),
    /** Unused. Servers of the previous release read it, so the next release drops it. */
    logoUrl: text(),
    /** Of its logo; null without one. */
    logoSha256: text(),
    colors: text().array().notNull().default([]),
    voice: text(),
    avoidedWords: text().array().notNull().default([]),
    languages: text().array().notNull().default([]),
    defaultHashtags: text().array().notNull().default([]),
    hashtagPlacements: jsonb().$type<HashtagPlacements>().notNull().default({}),
    queueSlots: jsonb().$type<QueueSlot[]>().notNull().default([]),
    reviewPolicy: jsonb().$type<ReviewPolicy>().notNull().default({ approvals: 0 }),
    createdAt: createdAt(),
  },
  (table) => [unique('brands_slug').on(table.organizationId, table.slug)],
)

export const brandId = () =>
  uuid()
    .notNull()
    .references(() => brands.id)

/** Apart from the brands, since only the page's images read them. */
export const brandLogos = social.table(
  'brand_logos',
  {
    brandId: uuid()
      .primaryKey()
      .references(() => brands.id, { onDelete: 'cascade' }),
    /** WebP. */
    image: bytes().notNull(),
    updatedAt: time().notNull(),
  },
  (table) => [check('brand_logos_size', sql`octet_length(${table.image}) BETWEEN 1 AND 1048576`)],
)

/** A weekly slot as local wall time: day 1 is Monday. */
export interface QueueSlot {
  day: number
  time: string
}

export interface ReviewPolicy {
  /** Of distinct reviewers, before a post is scheduled or published. */
  approvals: number
  /** Whether the approval of the post’s author counts. Rows before reviews have neither this nor the next one. */
  allowAuthor?: boolean
  /** Whether approvals of guests count. */
  countGuests?: boolean
}
