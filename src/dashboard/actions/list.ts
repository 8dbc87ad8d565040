import { and, eq, gt, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { keyset, type PageOf } from '#lib/paginate.ts'
import { notifications, notificationSnoozes } from '../schema.ts'
import type { NotificationFilter, NotificationQuery } from './contract.ts'
import { notMutedBy, readerOf, visibleTo } from './visible.ts'

type ReadCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity' | 'now'>

const At = z.coerce.date()

const bySort = keyset({ sortAt: [notifications.sortAt, At], id: [notifications.id, Id] })
const byResolution = keyset(
  { resolvedAt: [notifications.resolvedAt, At.nullable()], id: [notifications.id, Id] },
  'desc',
)

const select = (db: Database, reader: string | null, now: Date) =>
  db
    .select({ notification: notifications, snoozedUntil: notificationSnoozes.until })
    .from(notifications)
    .leftJoin(
      notificationSnoozes,
      and(
        eq(notificationSnoozes.notificationId, notifications.id),
        reader === null ? sql`false` : eq(notificationSnoozes.personId, reader),
        gt(notificationSnoozes.until, now),
      ),
    )
    .$dynamic()

export type NotificationRow = Awaited<ReturnType<typeof select>>[number]

/** Open and snoozed ones by the time until which they should be done, resolved ones from the newest. */
export async function listNotificationRows(
  call: ReadCall,
  { limit, cursor, ...filter }: NotificationQuery,
): Promise<PageOf<NotificationRow>> {
  const where = and(await visibleTo(call), ...conditionsOf(call.actor, filter))
  const rows = select(call.db, readerOf(call.actor), call.now())
  if (filter.state === 'resolved') {
    const slice = byResolution.slice({ limit, cursor })
    const found = await rows
      .where(and(where, slice.where))
      .orderBy(...slice.order)
      .limit(slice.limit)
    return slice.pageBy(found, ({ notification: { resolvedAt, id } }) => ({ resolvedAt, id }))
  }
  const slice = bySort.slice({ limit, cursor })
  const found = await rows
    .where(and(where, slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.pageBy(found, ({ notification: { sortAt, id } }) => ({ sortAt, id }))
}

function conditionsOf(actor: Actor, { surface, state, service, assignee }: NotificationFilter): (SQL | undefined)[] {
  const { resolvedAt, assigneeId } = notifications
  const isSnoozed = isNotNull(notificationSnoozes.until)
  const byState = {
    open: and(isNull(resolvedAt), isNull(notificationSnoozes.until)),
    snoozed: and(isNull(resolvedAt), isSnoozed),
    resolved: isNotNull(resolvedAt),
  }
  const assigned = assignee === 'me' ? actor.principal.id : assignee
  return [
    byState[state],
    notMutedBy(readerOf(actor)),
    surface && eq(notifications.surface, surface),
    service === undefined ? undefined : eq(notifications.service, service),
    assigned === undefined ? undefined : assigned === 'none' ? isNull(assigneeId) : eq(assigneeId, assigned),
  ]
}

/** @throws {Problem} 404 for one that the caller can’t see */
export async function findNotification(call: ReadCall, id: string): Promise<NotificationRow> {
  const visible = await visibleTo(call)
  const [row] = await select(call.db, readerOf(call.actor), call.now()).where(and(eq(notifications.id, id), visible))
  if (!row) throw notFound('notification')
  return row
}

const maxCounted = 100

/** Open actions that the caller sees and hasn’t snoozed, up to 100. */
export async function countOpen(call: ReadCall): Promise<number> {
  const filter = conditionsOf(call.actor, { state: 'open', surface: 'action' })
  const rows = select(call.db, readerOf(call.actor), call.now())
    .where(and(await visibleTo(call), ...filter))
    .limit(maxCounted)
    .as('open')
  return call.db.$count(rows)
}
