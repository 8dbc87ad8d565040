import { index, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, social, time } from './base.ts'
import { brandId } from './brands.ts'

/** Secret addresses at which calendar programs read the posts of a brand: one per person and brand. */
export const calendarFeeds = social.table(
  'calendar_feeds',
  {
    id: id(),
    brandId: brandId(),
    /** Who reads it: it ends with their access. */
    personId: uuid().notNull(),
    tokenHash: text().notNull(),
    createdAt: createdAt(),
    /** To the hour; null before the first use. */
    lastUsedAt: time(),
  },
  (table) => [
    unique('calendar_feeds_person').on(table.personId, table.brandId),
    unique('calendar_feeds_token').on(table.tokenHash),
    index('calendar_feeds_brand').on(table.brandId),
  ],
)
