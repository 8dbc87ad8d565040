import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { emitWebhook, type EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { webhookEvent } from '#lib/outgoing-webhooks/event.ts'
import { Timestamp } from '#lib/time.ts'
import type { notifications } from '../schema.ts'

const permission = 'notifications:read'

/** Without its texts: they are for those who see the action. */
const action = {
  notificationId: Id.describe('`GET /api/notifications/:id` returns the action to those who can see it.'),
  service: z.string().nullable().describe('The slug of the service that raised it.'),
  kind: z.string().nullable(),
  resourceKind: z.string().nullable().describe('What it is about, such as `brand`.'),
  resourceId: Id.nullable(),
  dueAt: Timestamp.nullable(),
}

const actionRaised = webhookEvent({
  type: 'action.raised',
  summary: 'An action for people was raised or posted',
  permission,
  data: z.object(action),
})

const actionResolved = webhookEvent({
  type: 'action.resolved',
  summary: 'An action was done',
  permission,
  data: z.object({ ...action, resolvedBy: Id.nullable().describe('Null when its service resolved it.') }),
})

const actionReopened = webhookEvent({
  type: 'action.reopened',
  summary: 'An action that a person had marked as done was opened again',
  permission,
  data: z.object(action),
})

const actionAssigned = webhookEvent({
  type: 'action.assigned',
  summary: 'An action was assigned to a member, or unassigned',
  permission,
  data: z.object({ ...action, assigneeId: Id.nullable() }),
})

export const actionEvents = [actionRaised, actionResolved, actionReopened, actionAssigned]

const byChange = {
  raised: actionRaised,
  resolved: actionResolved,
  reopened: actionReopened,
  assigned: actionAssigned,
} as const

type Row = typeof notifications.$inferSelect

/** On the transaction of the change. Notices, and what is for one person alone, have no events. */
export async function emitAction(
  tx: Database,
  emitting: EmitDependencies,
  change: keyof typeof byChange,
  row: Row,
): Promise<void> {
  if (row.surface !== 'action' || row.personId !== null) return
  const { id, organizationId, service, kind, resourceKind, resourceId, dueAt, resolvedBy, assigneeId } = row
  const data = { notificationId: id, service, kind, resourceKind, resourceId, dueAt, resolvedBy, assigneeId }
  await emitWebhook(tx, emitting, { organizationId, event: byChange[change], data })
}
