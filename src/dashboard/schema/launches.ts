import { sql } from 'drizzle-orm'
import { check, index, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, dashboard, id } from './base.ts'

export const launchSurfaces = ['switcher', 'catalog', 'widget', 'link'] as const
export const launchOutcomes = ['opened', 'store', 'refused'] as const

/** Attempts to open an app from an organization. */
export const launches = dashboard.table(
  'launches',
  {
    id: id(),
    organizationId: uuid().notNull(),
    personId: uuid().notNull(),
    serviceId: uuid().notNull(),
    surface: text({ enum: launchSurfaces }).notNull(),
    outcome: text({ enum: launchOutcomes }).notNull(),
    /** The code of the problem of a refused launch. */
    problem: text(),
    createdAt: createdAt(),
  },
  (table) => [
    index('launches_organization').on(table.organizationId, table.createdAt, table.id),
    index('launches_person').on(table.personId),
    index('launches_expiry').on(table.createdAt),
    check('launches_surface', sql`${table.surface} IN ('switcher', 'catalog', 'widget', 'link')`),
    check('launches_outcome', sql`${table.outcome} IN ('opened', 'store', 'refused')`),
    check('launches_problem', sql`(${table.problem} IS NOT NULL) = (${table.outcome} = 'refused')`),
  ],
)
