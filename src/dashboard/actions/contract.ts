import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Cursor, Limit, listOf } from '#lib/paginate.ts'
import { ActionButtons, Href } from '#lib/raised-actions.ts'
import { lineText, optionalField, plainText } from '#lib/text.ts'
import { Instant, Timestamp } from '#lib/time.ts'

const surface = z.enum(['action', 'notice'])
const state = z.enum(['open', 'snoozed', 'resolved'])

const Person = z.object({ id: Id, name: z.string() })

export const Notification = z.object({
  id: Id,
  organizationId: Id,
  surface: surface.describe('`action`: something to do. `notice`: something to know.'),
  service: z.object({ slug: z.string(), name: z.string() }).nullable(),
  kind: z.string().nullable(),
  title: z.string(),
  reason: z.string(),
  href: z.string(),
  actions: ActionButtons.describe(
    'Requests that do it, with the fields that a person fills in. People get those that they can send.',
  ),
  since: Timestamp,
  dueAt: Timestamp.nullable(),
  by: z.string().describe('The name of the service, app, API key or person that raised it.'),
  state: state.describe('`snoozed` is the state for you: other people see it as open.'),
  snoozedUntil: Timestamp.nullable(),
  assignee: Person.nullable(),
  resolvedAt: Timestamp.nullable(),
  resolvedBy: Person.nullable().describe('Null when the service resolved it.'),
})
export type Notification = z.output<typeof Notification>

export const NotificationFilter = z.object({
  surface: optionalField(surface),
  state: state.default('open'),
  service: optionalField(plainText(100).describe('A slug.')),
  assignee: optionalField(z.union([z.enum(['me', 'none']), Id])),
})
export type NotificationFilter = z.output<typeof NotificationFilter>

export const NotificationQuery = NotificationFilter.extend({ limit: Limit, cursor: Cursor })
export type NotificationQuery = z.output<typeof NotificationQuery>

export const NotificationList = listOf(Notification).extend({
  open: z.number().int().describe('Open actions that you can see and haven’t snoozed, counted up to 100.'),
  can: z.object({ update: z.boolean().describe('Whether you can snooze, assign and resolve them.') }),
})
export type NotificationList = z.output<typeof NotificationList>

export const NotificationDraft = z.object({
  organizationId: optionalField(Id).describe(
    'Required for services. A key or a person writes to its own organization.',
  ),
  surface: surface.default('action'),
  cause: lineText(200).min(1, 'Required.').describe('An open notification of the same cause is updated.'),
  title: lineText(200).min(1, 'Required.'),
  reason: plainText(2000).trim().min(1, 'Required.'),
  href: Href,
  actions: ActionButtons.default([]),
  dueAt: optionalField(Instant),
})
export type NotificationDraft = z.output<typeof NotificationDraft>

export const Snooze = z
  .object({
    id: Id,
    until: optionalField(Instant.describe('When you see it again: within a year.')),
    hours: optionalField(z.coerce.number().int().min(1).max(8_760).describe('How long, instead of `until`.')),
  })
  .refine(({ until, hours }) => (until === undefined) !== (hours === undefined), {
    path: ['until'],
    message: 'Send either until or hours.',
  })
export type Snooze = z.output<typeof Snooze>

export const AssigneeQuery = z.object({
  id: Id,
  q: optionalField(plainText(100).trim()).describe('A part of the name.'),
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type AssigneeQuery = z.output<typeof AssigneeQuery>

export const AssigneeList = z.object({
  items: z.array(Person).describe('The members who can see the action, by name.'),
  more: z.boolean().describe('Whether others match too.'),
})
export type AssigneeList = z.output<typeof AssigneeList>

export const Assignment = z.object({
  id: Id,
  personId: z.preprocess((given) => (given === '' ? null : given), Id.nullable()).describe('A member; null for none.'),
})
