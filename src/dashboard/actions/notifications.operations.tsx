import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction } from '#lib/audit.ts'
import { isAllowed, requirePerson } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { ActionCard } from '#views/dashboard/actions/action-card.tsx'
import { ActionList } from '#views/dashboard/actions/action-list.tsx'
import { Assignees } from '#views/dashboard/actions/assignees.tsx'
import * as assignees from './assignees.ts'
import * as change from './change.ts'
import {
  AssigneeList,
  AssigneeQuery,
  Assignment,
  Notification,
  NotificationDraft,
  NotificationList,
  NotificationQuery,
  Snooze,
} from './contract.ts'
import { describeNotifications } from './describe.ts'
import { countOpen, findNotification, listNotificationRows } from './list.ts'
import { organizationToPost, postNotification } from './post.ts'

const one = z.object({ id: Id })
const Created = z.object({ id: Id })
const place = { next: '/actions' }

const canUpdate = async ({ actor, identity }: Call<unknown, Actor>): Promise<boolean> =>
  isAllowed(actor, 'notifications:write', await identity.serviceId('platform-dashboard-api'))

async function describeOne(call: Call<unknown, Actor>, id: string) {
  const [described] = await describeNotifications(call, [await findNotification(call, id)])
  if (!described) throw new Error('The notification is gone')
  return described
}

export const listNotifications = operation({
  route: 'GET /api/notifications',
  summary: 'List actions and notices',
  permission: 'notifications:read',
  machine: true,
  input: NotificationQuery,
  output: NotificationList,
  run: async (call) => {
    const { items, nextCursor } = await listNotificationRows(call, call.input)
    const [described, open, update] = await Promise.all([
      describeNotifications(call, items),
      countOpen(call),
      canUpdate(call),
    ])
    return { items: described, nextCursor, open, can: { update } }
  },
  view: (list, { input, now, actor, notificationKinds: kinds }) => (
    <ActionList list={list} query={input} now={now()} organizationId={actor.organization?.id ?? ''} kinds={kinds} />
  ),
})

export const getNotification = operation({
  route: 'GET /api/notifications/:id',
  summary: 'Get an action or notice',
  permission: 'notifications:read',
  machine: true,
  input: one,
  output: Notification,
  run: (call) => describeOne(call, call.input.id),
  view: async (notification, call) => (
    <ActionCard notification={notification} kinds={call.notificationKinds} canChange={await canUpdate(call)} />
  ),
})

export const createNotification = operation({
  route: 'POST /api/notifications',
  summary: 'Create an action or notice',
  permission: 'notifications:write',
  services: true,
  machine: true,
  creates: true,
  transaction: false, // Identity is asked which organization and app it is for.
  problems: { whole_organization_needed: 403, too_many_notifications: 409 },
  input: NotificationDraft,
  output: Created,
  answers: { 200: Created, 201: Created },
  example: {
    cause: 'delivery-note-418',
    title: 'Send the delivery note of order 418',
    reason: 'The customer asked for it by phone.',
    href: '/pay/orders',
  },
  run: async (call) => {
    const { organizationId: named, ...draft } = call.input
    const organizationId = await organizationToPost(call, named)
    const { id, isNew } = await auditedTransaction(call, (db) =>
      postNotification({ ...call, db }, organizationId, draft),
    )
    return reply(isNew ? 201 : 200, { id }, place)
  },
})

export const resolveNotification = operation({
  route: 'POST /api/notifications/:id/resolve',
  summary: 'Mark an action or notice as done',
  permission: 'notifications:write',
  machine: true,
  input: one,
  output: z.null(),
  problems: { already_resolved: 409 },
  run: async (call) => {
    const { id } = call.input
    await change.resolveNotification(call, id)
    const undo = { method: 'POST' as const, href: `/api/notifications/${id}/reopen`, body: {} }
    return reply(204, null, { ...place, toast: 'Marked as done', undo })
  },
})

export const reopenNotification = operation({
  route: 'POST /api/notifications/:id/reopen',
  summary: 'Restore an action or notice to the open ones',
  permission: 'notifications:write',
  machine: true,
  input: one,
  output: z.null(),
  problems: { resolved_by_service: 409, posted_again: 409, too_many_notifications: 409 },
  run: async (call) => {
    await change.reopenNotification(call, call.input.id)
    return reply(204, null, { ...place, toast: 'Open again' })
  },
})

export const snoozeNotification = operation({
  route: 'POST /api/notifications/:id/snooze',
  summary: 'Schedule when you see an action again',
  permission: 'notifications:write',
  input: Snooze,
  output: z.null(),
  problems: { already_resolved: 409, session_required: 403 },
  run: async (call) => {
    const { id } = call.input
    await change.snoozeNotification(call, call.input)
    const undo = { method: 'POST' as const, href: `/api/notifications/${id}/unsnooze`, body: {} }
    return reply(204, null, { ...place, toast: 'Snoozed', undo })
  },
})

export const endSnooze = operation({
  route: 'POST /api/notifications/:id/unsnooze',
  summary: 'End your snooze of an action',
  permission: 'notifications:write',
  input: one,
  output: z.null(),
  problems: { session_required: 403 },
  run: async (call) => {
    await change.endSnooze(call, call.input.id)
    return reply(204, null, { ...place, toast: 'Open again' })
  },
})

export const assignToMe = operation({
  route: 'POST /api/notifications/:id/assign-to-me',
  summary: 'Change an action to be assigned to you',
  permission: 'notifications:write',
  input: one,
  output: z.null(),
  transaction: false,
  problems: { already_resolved: 409, session_required: 403 },
  run: async (call) => {
    requirePerson(call.actor)
    await change.assignNotification(call, { id: call.input.id, personId: call.actor.principal.id })
    return reply(204, null, { ...place, toast: 'Assigned to you' })
  },
})

export const listAssignees = operation({
  route: 'GET /api/notifications/:id/assignees',
  summary: 'List possible assignees of an action',
  permission: 'notifications:read',
  input: AssigneeQuery,
  output: AssigneeList,
  // It reads all members of the organization.
  limit: 'checks',
  run: (call) => assignees.listAssignees(call),
  view: (list, { input: { id, q } }) => <Assignees id={id} list={list} q={q ?? null} />,
})

export const assignNotification = operation({
  route: 'POST /api/notifications/:id/assign',
  summary: 'Change who an action is assigned to',
  permission: 'notifications:write',
  machine: true,
  input: Assignment,
  output: z.null(),
  transaction: false, // Identity is asked whether the member can see it.
  problems: { already_resolved: 409 },
  run: async (call) => {
    await change.assignNotification(call, call.input)
    return reply(204, null, { ...place, toast: call.input.personId === null ? 'Unassigned' : 'Assigned' })
  },
})
