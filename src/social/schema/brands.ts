import { jsonb, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, social } from './base.ts'

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

export const brandId = () =>
  uuid()
    .notNull()
    .references(() => brands.id)

/** A weekly slot as local wall time: day 1 is Monday. */
export interface QueueSlot {
  day: number
  time: string
}

export interface ReviewPolicy {
  approvals: number
}
