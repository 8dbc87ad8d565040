import { sql } from 'drizzle-orm'
import { integer, jsonb, pgSchema, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

/** Its own schema: the practice models are a counterpart of the gateway and share nothing with it. */
export const practiceModelsSchema = pgSchema('practice_models')

export const practiceModelBehaviors = practiceModelsSchema.table(
  'behaviors',
  {
    /** Empty for every model. */
    model: text().notNull(),
    /** SHA-256; empty for every API key. */
    keyDigest: text().notNull(),
    behavior: jsonb().$type<Record<string, unknown>>().notNull(),
    /** How many requests it still affects; null for any number. */
    remaining: integer(),
    updatedAt: timestamp({ withTimezone: true, precision: 3 })
      .notNull()
      .default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.model, table.keyDigest] })],
)
