import { sql } from 'drizzle-orm'
import { check, index, jsonb, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { organizations } from './organizations.ts'
import { users } from './people.ts'
import { services } from './services.ts'

export type StepOutcome = 'done' | 'skipped'
export type StepOutcomes = Readonly<Record<string, StepOutcome>>

/** The steps that a person decided for themselves, such as going on without an organization (DSH-04). */
export const personOnboardings = identitySchema.table(
  'person_onboardings',
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    steps: jsonb().$type<StepOutcomes>().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [check('person_onboardings_steps', sql`jsonb_typeof(${table.steps}) = 'object'`)],
)

/** How far an organization's owners came in setting up a service (DSH-04). */
export const organizationOnboardings = identitySchema.table(
  'organization_onboardings',
  {
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    serviceId: uuid()
      .notNull()
      .references(() => services.id, { onDelete: 'cascade' }),
    steps: jsonb().$type<StepOutcomes>().notNull(),
    /** Null until an owner finished it. Then nothing is asked again. */
    completedAt: instant(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.serviceId] }),
    index('organization_onboardings_service').on(table.serviceId),
    check('organization_onboardings_steps', sql`jsonb_typeof(${table.steps}) = 'object'`),
  ],
)
