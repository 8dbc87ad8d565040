import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant, platform } from './base.ts'

export interface ActionButton {
  label: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  href: string
  /** Sent as JSON, together with the values of `fields`. */
  body?: Record<string, Scalar | (Scalar | Fields)[] | Fields>
  fields?: ButtonField[]
  style?: 'primary' | 'default' | 'danger'
  /** A question before the request is sent. */
  confirm?: string
}

type Scalar = string | number | boolean | null
/** As deep as the bodies of buttons are. */
type Fields = Record<string, Scalar | Scalar[]>

export interface ButtonField {
  name: string
  label: string
  type: 'text' | 'textarea' | 'date' | 'select'
  value?: string
  options?: { value: string; label: string }[]
}

export const raisedActions = platform.table(
  'raised_actions',
  {
    id: uuid().primaryKey(),
    organizationId: uuid().notNull(),
    surface: text({ enum: ['action', 'notice'] })
      .notNull()
      .default('action'),
    /** The slug of the service that raised it. Null, as the kind and its permission, for rows of earlier releases. */
    service: text(),
    kind: text(),
    /** What a member needs to see it. */
    permission: text(),
    /** What it is about, where roles can be limited to some, such as a brand. */
    resourceKind: text(),
    resourceId: uuid(),
    /** The only person who sees it. */
    personId: uuid(),
    cause: text().notNull(),
    title: text().notNull(),
    reason: text().notNull(),
    href: text().notNull(),
    actions: jsonb().$type<ActionButton[]>().notNull(),
    dueAt: instant(),
    raisedAt: instant().notNull(),
    resolvedAt: instant(),
    /** Counts changes: the dashboard ignores versions that aren't newer than its own. */
    version: integer().notNull().default(1),
    enqueuedVersion: integer().notNull().default(0),
    takenVersion: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('raised_actions_open')
      .on(table.cause, table.organizationId)
      .where(sql`resolved_at IS NULL`),
    index('raised_actions_organization').on(table.organizationId),
    index('raised_actions_person')
      .on(table.personId)
      .where(sql`person_id IS NOT NULL`),
    index('raised_actions_waiting')
      .on(table.raisedAt)
      .where(sql`enqueued_version < version`),
    index('raised_actions_untaken')
      .on(table.id)
      .where(sql`taken_version < version`),
    index('raised_actions_resolved')
      .on(table.resolvedAt)
      .where(sql`resolved_at IS NOT NULL`),
    check('raised_actions_surface', sql`${table.surface} IN ('action', 'notice')`),
    check('raised_actions_resource', sql`(${table.resourceKind} IS NULL) = (${table.resourceId} IS NULL)`),
    check(
      'raised_actions_versions',
      sql`${table.version} >= greatest(${table.enqueuedVersion}, ${table.takenVersion})`,
    ),
  ],
)
